import { expect, test as base, type Page } from '@playwright/test';
import { Backend } from '../../workbench/backend/host';
import { DataSourceStore } from '../../workbench/server/data-source';
import type { ReactMajor } from '../../workbench/server/bundle';
import { listen } from '../../workbench/server/listen';
import { selectors } from '../../src/selectors';
import { frozen, Service } from '../grpc/support/service';

/** Settings of a project in playwright.workbench.config.ts. */
export interface WorkbenchOptions {
  /** The version of React for the page and the plugin. */
  react: ReactMajor;
}

interface Running {
  url: string;
  service: Service;
  store: DataSourceStore;
}

interface WorkbenchFixtures {
  service: Service;
  workbench: WorkbenchPage;
}

/** The page of the workbench, by user actions. */
export class WorkbenchPage {
  constructor(readonly page: Page) {}

  field(id: string) {
    return this.page.getByTestId(id);
  }

  async open(tab: 'configure' | 'explore'): Promise<void> {
    await this.field(`workbench-tab-${tab}`).click();
  }

  async saveAndTest(): Promise<void> {
    await this.field('workbench-save-and-test').click();
  }

  get health() {
    return this.field('workbench-health');
  }

  get rows() {
    return this.field('workbench-rows');
  }

  /** The header of a column in the result. */
  column(name: string) {
    return this.field('workbench-table').getByRole('columnheader', { name, exact: true });
  }

  /** Selects an option in one of the editor's lists. */
  async choose(id: string, option: string): Promise<void> {
    await this.field(id).click();
    // An option's accessible name also contains its description.
    const label = this.page.getByText(option, { exact: true });
    const apiName = this.page.getByText(new RegExp(`^${option} · `));
    const chosen = this.page.getByRole('option').filter({ has: label.or(apiName) });
    // Highlighting an option can scroll the list.
    await chosen.hover();
    await chosen.click();
  }

  /** Selects a radio button. Its input covers its text, and the text covers the input. */
  async check(id: string, name: string): Promise<void> {
    await this.field(id).getByRole('radio', { name }).check({ force: true });
  }

  async chooseDataSet(label: string): Promise<void> {
    await this.check(selectors.query.dataSet, label);
  }

  /** Selects a format, and waits for its result: drawing it would move the list that a test opens next. */
  async showAs(format: keyof typeof resultOf): Promise<void> {
    await this.check(selectors.query.format, format);
    await expect(this.field(resultOf[format])).toBeVisible();
  }
}

const resultOf = {
  Table: 'workbench-table',
  'Needs attention': 'workbench-table',
  Number: 'workbench-table',
  'Time series': 'workbench-graph',
};

/** Tests with an open workbench, whose data source is configured for a quiet simulated service. */
export const test = base.extend<WorkbenchFixtures, WorkbenchOptions & { running: Running; window: Page }>({
  react: [19, { option: true, scope: 'worker' }],

  // One for all tests of a worker: opening a window takes Chromium several times as long as loading the workbench.
  window: [
    async ({ browser }, provide) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
      await provide(await context.newPage());
      await context.close();
    },
    { scope: 'worker' },
  ],

  // Leaves nothing to the next test. After a test that fails, Playwright starts another worker.
  page: async ({ window }, provide) => {
    await provide(window);
    await window.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
    await window.context().clearCookies();
    window.removeAllListeners('response');
    await window.goto('about:blank');
  },

  running: [
    async ({ react }, provide) => {
      const service = new Service({ frozen, tasksTotal: 399, automations: 21, runners: 5 });
      await service.start();
      const backend = await Backend.start();
      const store = new DataSourceStore({
        ...{ uid: 'insights', name: 'Insights', url: service.url, jsonData: { login: 'demo' } },
        secureJsonData: { key: 'demo-key' },
        updated: Date.now(),
      });
      const { url, close } = await listen(backend, store, { port: 0, anyOther: true, react });
      await provide({ url, service, store });
      await close();
      await Promise.all([backend.stop(), service.close()]);
    },
    // Bundling the page takes a few seconds, or more on a busy machine.
    { scope: 'worker', timeout: 120_000 },
  ],

  service: async ({ running }, provide) => {
    await running.service.reset();
    await provide(running.service);
  },

  workbench: async ({ page, running, service }, provide) => {
    running.store.save({ url: service.url, jsonData: { login: 'demo' }, secureJsonData: { key: 'demo-key' } });
    await page.goto(running.url);
    await page.getByTestId('workbench-notice').waitFor();
    await provide(new WorkbenchPage(page));
  },
});

export { expect } from '@playwright/test';
export { selectors };
