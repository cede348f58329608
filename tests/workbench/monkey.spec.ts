import type { Page } from '@playwright/test';

import type { TabName } from '../../workbench/page/link';
import { expect, test } from './fixtures';
import { type Service, walk, type Walked, type World } from './monkey/walk';

// npm test takes 40 walks. WALKS=5000 takes more, and SEED=7 WALKS=1 repeats one.
const walks = Number(process.env.WALKS ?? 40);
const firstSeed = Number(process.env.SEED ?? 1);
const parts = Math.min(walks, 2);

test.describe.configure({ mode: 'parallel' });

for (let part = 1; part <= parts; part += 1) {
  test(`a monkey breaks nothing (${part} of ${parts})`, async ({ workbench, page, running }) => {
    // Other suites share the cores: a walk took half a minute then.
    test.setTimeout(240_000 + walks * 20_000);
    const errors = listen(page);
    // Everything can be reached with a click.
    await page.setViewportSize({ width: 1280, height: 2400 });
    const setService = await control(page);
    const open = async (tab: TabName, saved: Record<string, unknown>) => {
      const jsonData = { login: 'demo', ...(tab === 'Configure' && saved) };
      running.store.save({ url: running.service.url, jsonData, secureJsonData: { key: 'demo-key' } });
      await openTab(page, tab, saved);
    };
    const world: World = { page, open, setService, errors };
    for (let seed = firstSeed + part - 1; seed < firstSeed + walks; seed += parts) {
      const walked = await walk(world, seed);
      // Softly: what was found is printed even if the time is up before the last walk.
      expect.soft(walked.wrong, describe(walked)).toEqual([]);
      if (walked.wrong.length > 0) {
        await page.reload();
        await workbench.field('workbench-saved').waitFor({ state: 'attached' });
        errors();
      }
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
}

/** What went wrong, and the steps that lead there. */
function describe({ seed, steps, wrong }: Walked): string {
  return [`SEED=${seed} WALKS=1: ${wrong.join('; ')}`, ...steps].join('\n  ');
}

/** What Chromium, and Grafana's combobox, log for a response with an error status. */
const expected = /^(Failed to load resource|Error loading async options)/;

/** Collects the errors of the page. */
function listen(page: Page): () => string[] {
  let found: string[] = [];
  page.removeAllListeners('pageerror').on('pageerror', ({ message }) => found.push(message));
  page.removeAllListeners('console').on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) {
      found.push(message.text());
    }
  });
  return () => {
    const errors = found;
    found = [];
    return errors;
  };
}

const routes = /\/api\/(ds\/query|datasources\/uid\/[^/]+\/resources)/;

/** Makes requests of the page slow, or fail. The requests in between reach the backend. */
async function control(page: Page): Promise<(service: Service) => void> {
  let service: Service = 'responds';
  await page.route(routes, async (route) => {
    if (service === 'fails') {
      await route.fulfill({ status: 500, json: { message: 'the service is down' } }).catch(() => undefined);
      return;
    }
    if (service === 'is slow') {
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    // The page has canceled the request meanwhile.
    await route.continue().catch(() => undefined);
  });
  return (next) => {
    service = next;
  };
}

/** Opens what is saved without loading the page again, which takes ten times as long. */
async function openTab(page: Page, tab: TabName, saved: object): Promise<void> {
  const parameters = new URLSearchParams({ tab: tab.toLowerCase(), at: String(Date.now() + Math.random()) });
  if (tab !== 'Configure') {
    parameters.set('query', JSON.stringify(saved));
  }
  await page.mouse.move(0, 0);
  await page.evaluate((hash) => {
    document.querySelector('[data-testid="workbench-saved"]')?.setAttribute('data-testid', 'left');
    location.hash = hash;
  }, parameters.toString());
  // Editors are loaded when they are opened.
  const shown = page.getByTestId('workbench-saved');
  await page.locator('main').filter({ has: shown }).locator('input').first().waitFor({ state: 'attached' });
}
