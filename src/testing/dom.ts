// What Grafana's comboboxes need of a browser and jsdom does not have: sizes, so that options are drawn, and an
// observer of what can be seen. Tests that draw an editor import this file.

const size = 400;
const rectangle = { width: size, height: size, top: 0, left: 0, bottom: size, right: size, x: 0, y: 0 };

Element.prototype.getBoundingClientRect = () => ({ ...rectangle, toJSON: () => rectangle });
for (const name of ['offsetHeight', 'offsetWidth']) {
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

export {};
