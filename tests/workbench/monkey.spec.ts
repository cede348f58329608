import type { Page } from '@playwright/test';
import { isEqual } from 'lodash';

import { dataSets, measures, namedFields } from '../../schema/datasets';
import { Random } from '../../simulator/random';
import type { TabName } from '../../workbench/page/link';
import { expect, selectors, test } from './fixtures';
import { pick, randomQuery, randomSettings } from './saved';

// npm test takes 24 walks. WALKS=5000 takes more, and SEED=7 WALKS=1 repeats one.
const walks = Number(process.env.WALKS ?? 24);
const firstSeed = Number(process.env.SEED ?? 1);
const parts = Math.min(walks, 2);
const stepsOfAWalk = 12;

test.describe.configure({ mode: 'parallel' });

for (let part = 1; part <= parts; part += 1) {
  test(`a monkey breaks nothing (${part} of ${parts})`, async ({ workbench, page, running }) => {
    // Other suites share the cores: a walk took half a minute then.
    test.setTimeout(240_000 + walks * 20_000);
    const errors = listen(page);
    // Everything can be reached with a click.
    await page.setViewportSize({ width: 1280, height: 2400 });
    const setService = await control(page);
    const open = async (tab: TabName, saved: Saved) => {
      setService('responds');
      const jsonData = { login: 'demo', ...(tab === 'Configure' && saved) };
      running.store.save({ url: running.service.url, jsonData, secureJsonData: { key: 'demo-key' } });
      await openTab(page, tab, saved);
    };
    for (let seed = firstSeed + part - 1; seed < firstSeed + walks; seed += parts) {
      const { steps, wrong } = await walk({ page, open, setService, errors }, seed);
      // Softly: what was found is printed even if the time is up before the last walk.
      expect.soft(wrong, [`SEED=${seed} WALKS=1: ${wrong.join('; ')}`, ...steps].join('\n  ')).toEqual([]);
      if (wrong.length > 0) {
        await page.reload();
        await workbench.field('workbench-saved').waitFor({ state: 'attached' });
        errors();
      }
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
}

type Saved = Record<string, unknown>;

/** The world that a walk happens in. */
interface World {
  page: Page;
  /** Opens the page with what is saved, while the service responds. */
  open(tab: TabName, saved: Saved): Promise<void>;
  setService(service: Service): void;
  /** Errors of the page since it was last asked. */
  errors(): string[];
}

const tabs: TabName[] = ['Explore', 'Explore', 'Variable', 'Annotation', 'Configure'];

/** Names that controls offer, and texts that they don't. */
const words = [
  ...dataSets.map(({ label }) => label),
  ...dataSets.flatMap((set) => [...namedFields(set), ...measures(set)]).flatMap(({ name, label }) => [name, label]),
  ...['o', 'RUN', 'is', '7', '30', '-1', '3 ', 'abc', '.*', 'runner ', 'FAILED', 'no such thing', '${x}'],
  'https://a.example',
];
const keys = ['Enter', 'Enter', 'Tab', 'Tab', 'Shift+Tab', 'Escape', 'ArrowDown', 'ArrowUp', 'Backspace', 'PageDown'];

/**
 * Operates one editor at random, and judges the page after each step: it has no errors, and what is saved changes neither when
 * it is opened nor while nobody does anything. In the end, what is saved is opened anew, and must show the same, whatever led
 * there. The same seed does the same.
 */
async function walk(world: World, seed: number): Promise<{ steps: string[]; wrong: string[] }> {
  const { page, open, errors } = world;
  const random = new Random(seed, 'monkey');
  const tab = tabs[seed % tabs.length];
  const saved = tab === 'Configure' ? randomSettings(random) : randomQuery(random, tab);
  const steps = [`open ${tab} with ${JSON.stringify(saved)}`];
  const wrong: string[] = [];
  await open(tab, saved);
  let seen = await survey(page);
  for (let step = 0; step < stepsOfAWalk && wrong.length === 0; step += 1) {
    const { name, isIdle, act } = nextStep(world, random, seen);
    steps.push(name);
    await act();
    const before = seen;
    seen = await survey(page);
    wrong.push(...errors(), ...(seen.controls.length > 0 ? [] : ['the page is gone']));
    wrong.push(...(isIdle ? difference('waiting changed', before.saved, seen.saved) : []));
  }
  return { steps, wrong: wrong.length > 0 ? wrong : await wrongAfterwards(world, tab) };
}

/** One action, and whether it is none that could change anything. */
interface Step {
  name: string;
  isIdle?: boolean;
  act: () => Promise<unknown>;
}

function nextStep({ page, setService }: World, random: Random, { targets, offered, focus }: Survey): Step {
  const chance = random.unit();
  if (chance < 0.1) {
    const service = pick(random, ['responds', 'is slow', 'fails'] as const);
    const ms = pick(random, [0, 50, 250]);
    setService(service);
    return { name: `the service ${service}; wait ${ms} ms`, isIdle: true, act: () => page.waitForTimeout(ms) };
  }
  if (focus === 'text' && chance < 0.3) {
    const word =
      offered.length > 0 && random.chance(0.6) ? pick(random, offered).name.slice(0, 20) : pick(random, words);
    const delay = pick(random, [0, 0, 25]);
    return { name: `type "${word}", ${delay} ms a key`, act: () => page.keyboard.type(word, { delay }) };
  }
  if (focus && chance < 0.55) {
    const key = pick(random, keys);
    return { name: `press ${key}`, act: () => page.keyboard.press(key) };
  }
  const { name, point } = pick(random, offered.length > 0 && random.chance(0.7) ? offered : targets);
  return { name: `click ${name}`, act: () => page.mouse.click(...point) };
}

/** Opens what the editor has saved in another one, which must show the same. */
async function wrongAfterwards({ page, open, errors }: World, tab: TabName): Promise<string[]> {
  // What is typed is saved or dropped when a control is left.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const left = await survey(page);
  const savedIn = ({ saved = {} }: Survey) => (tab === 'Configure' ? saved.jsonData : saved) as Saved;
  const saved = savedIn(left);
  if (tab === 'Variable' && saved.queryType === undefined) {
    return errors(); // Grafana merges the default of a new one into it, which has another data set.
  }
  await open(tab, saved);
  const fresh = await survey(page);
  const isFilter = ({ id }: Control) => id.startsWith('insights-query-filter-');
  // A row that is no filter yet is not saved, and of one whose value is missing the last complete filter is.
  const [filters, filtersNow] = [left, fresh].map(({ controls }) => controls.filter(isFilter));
  const areComplete = filters.length === filtersNow.length && !filters.some(({ isInvalid }) => isInvalid);
  const before = new Map(left.controls.map((one) => [one.id, one]));
  const wrong = fresh.controls.flatMap((now) => {
    const { isInvalid = true, shown } = before.get(now.id) ?? {};
    // The address and the key are those of the service again.
    const isKept = !isInvalid && (areComplete || !isFilter(now)) && !/^insights-config-(url|key)$/.test(now.id);
    return isKept && shown !== now.shown ? [`${now.id} showed ${shown}, and opened anew ${now.shown}`] : [];
  });
  return [...errors(), ...wrong, ...difference('opening changed', saved, savedIn(fresh))];
}

function difference(what: string, before: Saved = {}, after: Saved = {}): string[] {
  const names = Object.keys({ ...before, ...after }).filter((name) => !isEqual(before[name], after[name]));
  return names.map((name) => `${what} ${name}: ${JSON.stringify(before[name])} is ${JSON.stringify(after[name])}`);
}

/** A control of an editor, as a person sees it. */
interface Control {
  /** Its test ID, or the name of a button that has none. */
  id: string;
  /** The text in it, or the selected label, in lower case: settings are read in any case. Of several values, how many. */
  shown: string;
  isInvalid: boolean;
}

/** Where a click reaches something. */
interface Target {
  name: string;
  point: [x: number, y: number];
}

/** What a person sees on the page, and what is saved. */
interface Survey {
  saved: Saved | undefined;
  controls: Control[];
  targets: Target[];
  /** Options of the open list, and items of the open menu. */
  offered: Target[];
  /** What has the focus in the editor; outside of it, keys would operate the workbench. */
  focus?: 'text' | 'other';
}

/**
 * Reads the page once, after it has rendered and has nothing left to do: a choice in a list of several values passes two
 * of downshift's reducers, each of which reports it after another render. On a busy machine, that takes long. A page that
 * never rests is read after ten seconds.
 */
function survey(page: Page): Promise<Survey> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 10_000 })));
    const all = (selector: string, root: Element = document.body) =>
      [...root.querySelectorAll<HTMLElement>(selector)].filter((element) => element.getClientRects().length > 0);
    /** Not behind a list in front of it. The end of a field has buttons of its own. */
    const targetsIn = (elements: HTMLElement[], nameOf: (element: HTMLElement) => string): Target[] =>
      elements.flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const point: Target['point'] = [x + Math.min(width / 2, 40), y + height / 2];
        const hit = document.elementFromPoint(...point);
        return hit && (element.contains(hit) || hit.contains(element)) ? [{ name: nameOf(element), point }] : [];
      });
    const idOf = (element: HTMLElement) => {
      const labelId = element.getAttribute('aria-labelledby');
      const label = labelId && document.getElementById(labelId)?.innerText.split('\n')[0];
      const testId = (element.role === 'radiogroup' ? element.parentElement! : element).dataset.testid;
      return testId ?? element.getAttribute('aria-label') ?? (label || element.textContent || element.tagName);
    };
    const shownIn = (element: HTMLElement) => {
      if (element.role === 'radiogroup') {
        return element.querySelector<HTMLInputElement>('input:checked')?.title ?? '';
      }
      const { type, checked, value } = element as HTMLInputElement;
      if (type === 'checkbox') {
        return String(checked);
      }
      if (element.role === 'combobox' && !element.closest('[data-testid="input-wrapper"]')) {
        const box = element.parentElement!;
        const hidden = Number(box.querySelector('div[tabindex="0"]')?.textContent) || 0;
        return `${box.querySelectorAll('button[aria-label]').length + hidden} values`;
      }
      return element.matches('input, textarea') ? value.toLowerCase() : '';
    };
    const saved = document.querySelector('[data-testid="workbench-saved"]');
    const editor = saved?.parentElement?.querySelector<HTMLElement>('section') ?? saved?.parentElement;
    const selector = '[role="radiogroup"], input:not([type="radio"]), textarea, button';
    const texts = 'input:not([type="radio"], [type="checkbox"]), textarea';
    const active = document.activeElement;
    const isEditors = (element: Element) => !element.closest(':disabled, [data-testid^="workbench-"]');
    const elements = editor ? all(selector, editor).filter(isEditors) : [];
    // The inputs of radio buttons and switches are behind their labels.
    const clickable = elements.flatMap((element) =>
      element.matches('[type="checkbox"]')
        ? all('label', element.parentElement!)
        : element.role === 'radiogroup'
          ? all('label', element)
          : element
    );
    return {
      saved: saved ? JSON.parse(saved.querySelector('pre')!.textContent!) : undefined,
      controls: elements.map((element) => ({
        id: idOf(element),
        shown: shownIn(element),
        isInvalid: element.getAttribute('aria-invalid') === 'true',
      })),
      targets: targetsIn(clickable, idOf),
      // The description is after the label.
      offered: targetsIn(all('[role="option"], [role="menuitem"]'), (element) => element.innerText.split('\n')[0]),
      focus: editor?.contains(active) ? (active?.matches(texts) ? 'text' : 'other') : undefined,
    };
  });
}

/** What Chromium, and Grafana's combobox, log for a response with an error status. */
const expected = /^(Failed to load resource|Error loading async options)/;

/** Collects the errors of the page. */
function listen(page: Page): () => string[] {
  const found: string[] = [];
  page.removeAllListeners('pageerror').on('pageerror', ({ message }) => found.push(message));
  page.removeAllListeners('console').on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) {
      found.push(message.text());
    }
  });
  return () => found.splice(0);
}

/** How the service responds to the page's requests. */
type Service = 'responds' | 'is slow' | 'fails';

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
  await (tab === 'Configure' && page.getByTestId(selectors.config.advanced).click());
}
