// Jest setup provided by Grafana scaffolding
import './.config/jest-setup';
import { configure } from '@testing-library/dom';

// On a busy machine, what a test waits for can take longer than Testing Library's second.
configure({ asyncUtilTimeout: 60_000 });

const later = setTimeout;

// React 19's server renderer, which `@grafana/ui` loads, needs a MessageChannel when it starts. jsdom has none, and a
// port of Node's own keeps jest from exiting.
global.MessageChannel ??= class {
  port1 = { onmessage: null };
  port2 = { postMessage: (data) => later(() => this.port1.onmessage?.({ data })) };
};

// Every browser that Grafana supports has this; jsdom doesn't.
URL.canParse ??= (url, base) => {
  try {
    return Boolean(new URL(url, base));
  } catch {
    return false;
  }
};

// jsdom has no layout, and searching all of Grafana's style rules for an element takes most of the time of a test that
// clicks or types. Here, only its own `style` and `hidden` hide an element; browser tests cover the rest.
global.getComputedStyle = (element) => element.style;
