import { createElement } from 'react';

// Browser features that Grafana's comboboxes need and jsdom doesn't have: sizes, so that options are rendered, and an
// intersection observer. Tests that render an editor import this file.

const size = 400;
const rectangle = { width: size, height: size, top: 0, left: 0, bottom: size, right: size, x: 0, y: 0 };

Element.prototype.getBoundingClientRect = () => ({ ...rectangle, toJSON: () => rectangle });
for (const name of ['clientHeight', 'clientWidth', 'offsetHeight', 'offsetWidth']) {
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
}

HTMLCanvasElement.prototype.getContext = jest.fn(() => ({ measureText: () => ({ width: 50 }) })) as jest.Mock;

class Observer implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = '';
  readonly scrollMargin = '';
  readonly thresholds = [];
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
globalThis.IntersectionObserver = Observer;

// create-plugin's mock doesn't pass on what makes an icon a button.
jest.mock('react-inlinesvg', () => ({
  __esModule: true,
  default: ({ src, title, role, tabIndex, onClick, onKeyDown }: Record<string, string>) =>
    createElement('svg', {
      ...{ 'data-testid': src.replace(/.*\/|\.svg$/g, ''), 'aria-label': title },
      ...({ role, tabIndex, onClick, onKeyDown } as object),
    }),
}));
