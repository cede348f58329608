import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { type Page } from '@playwright/test';

import { type Frame } from './query';

/** What a person reads in a panel, and what its queries returned. */
export interface Shown {
  /** The lines of its text, without its title. */
  lines: string[];
  /** The cells of a table that are in view, with its header and without its footer. */
  rows: string[][];
  /** The text below a table. */
  footer: string;
  /** The time range of its query, and the moments between which the answer was made, in milliseconds. */
  from: number;
  to: number;
  asked: number;
  answered: number;
  /** Its frames by refId. */
  frames: Record<string, Frame[]>;
}

type Asked = Omit<Shown, 'lines' | 'rows' | 'footer'>;

/** A bundled dashboard, as far as these tests use it. */
export interface Bundled {
  uid: string;
  title: string;
  panels: Array<{ id: number; type: string; title: string }>;
}

const folder = path.join(__dirname, '../../../src/dashboards');

export const bundled = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file): Bundled => JSON.parse(readFileSync(path.join(folder, file), 'utf8')));

/** Reads the panels of dashboards in a page. */
export class Boards {
  private readonly asked = new Map<string, Asked>();
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
      // The events of a busy browser arrive late: the answer may have been made before the test hears of the question.
      const [asked, answered] = [request.timing().startTime, Date.now()];
      const { from, to } = request.postDataJSON() as { from: string; to: string };
      const { results } = (await response.json()) as { results: Record<string, { frames: Frame[] }> };
      const frames = Object.fromEntries(Object.entries(results).map(([refId, result]) => [refId, result.frames]));
      this.asked.set(request.headers()['x-panel-id'], { from: Number(from), to: Number(to), asked, answered, frames });
      this.settle();
    });
  }

  private settle() {
    this.pending--;
    this.quietSince = Date.now();
  }

  /** Opens a dashboard and returns its panels by title, once all have their answers. */
  async open({ uid, panels }: Bundled, parameters: Record<string, string>): Promise<Map<string, Shown>> {
    const queried = panels.filter(({ type }) => type !== 'row');
    this.asked.clear();
    await this.page.goto(`/d/${uid}?${new URLSearchParams(parameters)}`);
    while (this.asked.size < queried.length || this.pending > 0 || Date.now() - this.quietSince < 1_000) {
      await this.page.waitForTimeout(100);
    }
    const texts = await this.page.evaluate(readPanels);
    return new Map(queried.map(({ id, title }) => [title, { ...texts[title], ...this.asked.get(`${id}`)! }]));
  }
}

/** The texts of all panels by title. Runs in the page. */
function readPanels(): Record<string, Pick<Shown, 'lines' | 'rows' | 'footer'>> {
  const textOf = (element: Element) => (element as HTMLElement).innerText.trim();
  const cellsOf = (row: Element) => [...row.querySelectorAll('[role="columnheader"], [role="gridcell"]')].map(textOf);
  const isFooter = (row: Element) => row.classList.contains('rdg-summary-row');
  return Object.fromEntries(
    [...document.querySelectorAll<HTMLElement>('[data-testid^="data-testid Panel header "]')].map((panel) => {
      const rows = [...panel.querySelectorAll('[role="row"]')];
      const text = {
        lines: textOf(panel).split('\n').slice(1),
        rows: rows.filter((row) => !isFooter(row)).map(cellsOf),
        footer: rows.filter(isFooter).map(textOf).join(),
      };
      return [panel.dataset.testid!.replace('data-testid Panel header ', ''), text];
    })
  );
}
