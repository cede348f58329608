import { type Page } from '@playwright/test';

import { dashboardsIn } from '../../../dashboards';
import { type Dashboard, type Panel } from '../../../dashboards/parts';
import { type Frame } from './query';

/** What a person reads in a panel, and what its queries returned. */
export interface Shown {
  /** The lines of its text, without its title. */
  lines: string[];
  /** The cells of a table that are in view, with its header and without its footer. */
  rows: string[][];
  /** Its frames by refId. */
  frames: Record<string, Frame[]>;
}

const { 'history.json': bundledHistory, ...others } = dashboardsIn('en-US');

/** The provisioned dashboard of what recording rules wrote to Prometheus. */
export { bundledHistory };

/** The provisioned dashboards that query this plugin: not the one whose data source is selected when it is imported. */
export const bundled = Object.values(others).filter((dashboard) => !dashboard.__inputs);

/** The panels that are in view when a dashboard opens: not those of collapsed rows. */
export const openPanels = ({ panels }: Dashboard): Panel[] => panels.filter(({ type }) => type !== 'row');

/** The title of a panel with the values of its variables. */
const written = (title: string) => new RegExp(`^${title.replace(/[()+]/g, '\\$&').replace(/\$\{.*?\}/g, '.+')}$`);

/** Reads the panels of dashboards in a page. */
export class Boards {
  private readonly answers = new Map<string, Shown['frames']>();
  private pending = 0;
  private quietSince = Date.now();

  constructor(private readonly page: Page) {
    const queries = new WeakSet<object>();
    page.on('request', (request) => {
      if (request.url().includes('/api/ds/query')) {
        queries.add(request);
        this.pending++;
      }
    });
    page.on('requestfailed', (request) => queries.has(request) && this.settle());
    page.on('response', async (response) => {
      const request = response.request();
      if (!queries.has(request)) {
        return;
      }
      const { results } = (await response.json()) as { results: Record<string, { frames: Frame[] }> };
      const frames = Object.fromEntries(Object.entries(results).map(([refId, result]) => [refId, result.frames]));
      this.answers.set(request.headers()['x-panel-id'], frames);
      this.settle();
    });
  }

  private settle() {
    this.pending--;
    this.quietSince = Date.now();
  }

  /** Opens a dashboard and returns its panels by their titles in the source, once all have their answers. */
  async open(dashboard: Dashboard, parameters: Record<string, string>): Promise<Map<string, Shown>> {
    const panels = openPanels(dashboard);
    this.answers.clear();
    await this.page.goto(`/d/${dashboard.uid}?${new URLSearchParams(parameters)}`);
    while (this.answers.size < panels.length || this.pending > 0 || Date.now() - this.quietSince < 1_000) {
      await this.page.waitForTimeout(100);
    }
    const texts = Object.entries(await this.page.evaluate(readPanels));
    const titles = panels.map(({ title }) => title);
    return new Map(
      panels.map(({ id, title }) => {
        const [, text] =
          texts.find(([shown]) => shown === title || (!titles.includes(shown) && written(title).test(shown))) ?? [];
        return [title, { lines: [], rows: [], ...text, frames: this.answers.get(`${id}`)! }];
      })
    );
  }
}

/** The texts of all panels by title. Runs in the page. */
function readPanels(): Record<string, Pick<Shown, 'lines' | 'rows'>> {
  const textOf = (element: Element) => (element as HTMLElement).innerText.trim();
  const cellsOf = (row: Element) => [...row.querySelectorAll('[role="columnheader"], [role="gridcell"]')].map(textOf);
  return Object.fromEntries(
    [...document.querySelectorAll<HTMLElement>('[data-testid^="data-testid Panel header "]')].map((panel) => {
      const rows = [...panel.querySelectorAll('[role="row"]:not(.rdg-summary-row)')];
      const text = { lines: textOf(panel).split('\n').slice(1), rows: rows.map(cellsOf) };
      return [panel.dataset.testid!.replace('data-testid Panel header ', ''), text];
    })
  );
}
