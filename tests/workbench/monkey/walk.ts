import type { Page } from '@playwright/test';
import { isEqual } from 'lodash';

import { dataSets, measures, namedFields } from '../../../schema/datasets';
import { Random } from '../../../simulator/random';
import type { TabName } from '../../../workbench/page/link';
import { pick, randomQuery, randomSettings } from './saved';
import { type Control, type Option, type Point, survey, type Survey } from './survey';

/** How the service responds to the page's requests. */
export type Service = 'responds' | 'is slow' | 'fails';

/** The world that a walk happens in. */
export interface World {
  page: Page;
  /** Opens the page with what is saved. */
  open(tab: TabName, saved: Record<string, unknown>): Promise<void>;
  setService(service: Service): void;
  /** Errors of the page since it was last asked. */
  errors(): string[];
}

/** What a walk did, and what went wrong. */
export interface Walked {
  seed: number;
  steps: string[];
  wrong: string[];
}

/** One action, and what it may change. */
interface Step {
  name: string;
  mayChange: boolean;
  act: () => Promise<unknown>;
}

const tabs: TabName[] = ['Explore', 'Explore', 'Variable', 'Annotation', 'Configure'];
const stepsOfAWalk = 12;

/** Operates one editor at random, and judges the page after each step. The same seed does the same. */
export async function walk(world: World, seed: number): Promise<Walked> {
  const random = new Random(seed, 'monkey');
  const tab = tabs[seed % tabs.length];
  const saved = tab === 'Configure' ? randomSettings(random) : randomQuery(random, tab);
  const steps = [`open ${tab} with ${JSON.stringify(saved)}`];
  world.setService('responds');
  await world.open(tab, saved);
  const monkey = new Monkey(world, random, tab);
  const wrong = new Set(await monkey.start());
  while (monkey.isAlive && steps.length <= stepsOfAWalk) {
    const step = monkey.next();
    steps.push(step.name);
    for (const sentence of (await monkey.take(step)).filter((each) => !wrong.has(each))) {
      steps.push(`-> ${sentence}`);
      wrong.add(sentence);
    }
  }
  if (monkey.isAlive) {
    (await wrongAfterwards(world, tab)).forEach((sentence) => wrong.add(sentence));
  }
  return { seed, steps, wrong: [...wrong] };
}

/** Opens what the editor has saved in another one, which must show the same, whatever led there. */
async function wrongAfterwards({ page, open, setService, errors }: World, tab: TabName): Promise<string[]> {
  const isSettings = tab === 'Configure';
  setService('responds');
  // What is typed is saved or dropped when a control is left.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const left = await survey(page);
  const saved = savedIn(left, isSettings);
  if (tab === 'Variable' && saved.queryType === undefined) {
    return errors(); // Grafana merges the default of a new one into it, which has another data set.
  }
  await open(tab, saved);
  const fresh = await survey(page);
  // The query keeps the last complete filter of a row whose value is missing.
  const incomplete = left.controls.flatMap(({ id, invalid }) =>
    invalid && id.startsWith('insights-query-filter-') ? [/\d+$/.exec(id)?.[0]] : []
  );
  const isIncomplete = ({ id, invalid }: Control) =>
    invalid || incomplete.some((row) => new RegExp(`^insights-query-filter-.*-${row}$`).test(id));
  const shownBefore = new Map(
    left.controls.filter((control) => !isIncomplete(control)).map((control) => [control.id, control])
  );
  const rows = ({ controls }: Survey) => controls.filter(({ id }) => id.startsWith('insights-query-filter-')).length;
  const isKept = ({ id }: Control) =>
    // Rows that are no filter yet are not saved, and the address and the key are those of the service again.
    (rows(left) === rows(fresh) || !id.startsWith('insights-query-filter-')) && !/^insights-config-(url|key)$/.test(id);
  const wrong = fresh.controls.filter(isKept).flatMap((control) => {
    const before = shownBefore.get(control.id);
    return !before || showsAs(before, control)
      ? []
      : [`${control.id} showed ${JSON.stringify(before.shown)}, and opened anew ${JSON.stringify(control.shown)}`];
  });
  const savedAnew = savedIn(fresh, isSettings);
  const isSame = isEqual(savedAnew, saved);
  return [...errors(), ...wrong, ...(isSame ? [] : [`opening changed: ${difference(saved, savedAnew)}`])];
}

const savedIn = ({ saved = {} }: Survey, isSettings: boolean) =>
  (isSettings ? saved.jsonData : saved) as Record<string, unknown>;

/** Whether two controls show the same: of tags, as many as fit. Settings are read in any case of letters. */
function showsAs(one: Control, other: Control): boolean {
  const texts = ({ shown }: Control) => shown.map((text) => text.toLowerCase());
  const common = Math.min(one.shown.length, other.shown.length);
  return (
    isEqual(texts(one).slice(0, common), texts(other).slice(0, common)) &&
    one.shown.length + one.hidden === other.shown.length + other.hidden
  );
}

/** Names that controls offer, and texts that they don't. */
const words = [
  ...dataSets.map(({ label }) => label),
  ...dataSets.flatMap((set) => [...namedFields(set), ...measures(set)]).flatMap(({ name, label }) => [name, label]),
  ...['o', 'RUN', 'is', '7', '30', '-1', '3 ', 'abc', '.*', 'runner ', 'FAILED', 'no such thing', '${x}'],
  'https://a.example',
];
const keys = [
  ...['Enter', 'Enter', 'Enter', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Escape', 'Escape', 'ArrowDown', 'ArrowDown'],
  ...['ArrowDown', 'ArrowUp', 'Backspace', 'Home', 'PageDown'],
];

/** Buttons that change nothing that is saved. */
const harmless =
  /^(insights-query-(filter-add|presets|more)|More|Close alert|insights-config-advanced|Advanced|BUTTON)$/;
const takesText = (control: Control | undefined) => /^(list|lists|text)$/.test(control?.kind ?? '');

class Monkey {
  private before!: Survey;
  /** The control into which something was typed that is not saved yet. */
  private draft?: string;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly tab: TabName
  ) {}

  get isAlive(): boolean {
    return this.before.controls.length > 0;
  }

  private get isSettings(): boolean {
    return this.tab === 'Configure';
  }

  async start(): Promise<string[]> {
    this.before = await survey(this.world.page);
    const advanced = this.isSettings && this.before.controls.find(({ id }) => /advanced/i.test(id));
    if (advanced) {
      await this.click(advanced.points[0]);
      this.before = await survey(this.world.page);
    }
    return [...this.world.errors(), ...this.judge()];
  }

  async take({ act, mayChange }: Step): Promise<string[]> {
    const { page } = this.world;
    await act();
    const was = this.before.saved;
    this.before = await survey(page);
    const { saved } = this.before;
    const unasked = !mayChange && saved && !isEqual(saved, was);
    return [
      ...this.world.errors(),
      ...(unasked ? [`changed without a choice: ${difference(was ?? {}, saved)}`] : []),
      ...this.judge(),
    ];
  }

  next(): Step {
    const reachable = <T extends { points: Point[] }>(list: T[]) => list.filter(({ points }) => points.length > 0);
    const { controls } = this.before;
    const [options, items] = [reachable(this.before.options), reachable(this.before.items)];
    const focused = controls.find(({ isFocused }) => isFocused);
    const offered: Array<[weight: number, step: () => Step]> = [
      [items.length > 0 ? 8 : 0, () => this.choose(pick(this.random, items))],
      [options.length > 0 ? 2 : 0, () => this.choose(pick(this.random, options))],
      [focused ? 4 : 0, () => this.press(focused!)],
      [takesText(focused) ? 3 : 0, () => this.type(focused!)],
      [focused ? 3 : 9, () => this.clickControl(pick(this.random, reachable(controls)))],
      [1, () => this.wait()],
    ];
    const at = this.random.between(
      0,
      offered.reduce((sum, [weight]) => sum + weight, 0)
    );
    const sums = offered.map((_, index) => offered.slice(0, index + 1).reduce((sum, [weight]) => sum + weight, 0));
    return offered[sums.findIndex((sum) => at < sum)][1]();
  }

  private judge(): string[] {
    return this.isAlive ? [] : ['the page is gone'];
  }

  private click(point: Point): Promise<void> {
    return this.world.page.mouse.click(...point);
  }

  /** What is typed is saved or dropped when the control is left. */
  private async leave(act: () => Promise<unknown>): Promise<void> {
    await act();
    this.draft = undefined;
  }

  private wait(): Step {
    const { page, setService } = this.world;
    const service = pick(this.random, ['responds', 'is slow', 'fails', undefined] as const);
    const ms = pick(this.random, [0, 50, 250]);
    const act = async () => {
      if (service) {
        setService(service);
      }
      await page.waitForTimeout(ms);
    };
    return { name: service ? `the service ${service}; wait ${ms} ms` : `wait ${ms} ms`, mayChange: false, act };
  }

  private clickControl(control: Control): Step {
    const point = pick(this.random, control.points);
    const isChoice = /radio|switch/.test(control.kind) || (control.kind === 'button' && !harmless.test(control.id));
    // The buttons that remove one of several values leave the focus where it is.
    const keepsFocus = control.id === this.draft || /^Remove /.test(control.id);
    return {
      name: `click ${control.id}${control.points.length > 1 ? ` (${control.points.indexOf(point) + 1})` : ''}`,
      mayChange: isChoice || (this.draft !== undefined && !keepsFocus),
      act: () => (keepsFocus ? this.click(point) : this.leave(() => this.click(point))),
    };
  }

  private choose({ label, points }: Option): Step {
    return { name: `choose "${label}"`, mayChange: true, act: () => this.leave(() => this.click(points[0])) };
  }

  private type(focused: Control): Step {
    const offered = pick(this.random, this.before.options)?.label;
    const isOffered = offered && this.random.chance(0.6);
    const word = isOffered ? offered.slice(0, this.random.between(2, 20)) : pick(this.random, words);
    const delay = pick(this.random, [0, 0, 25]);
    const pause = pick(this.random, [0, 0, 0, 250]);
    return {
      name: `type "${word}", ${delay} ms a key, pause ${pause} ms`,
      mayChange: this.isSettings,
      act: async () => {
        await this.world.page.keyboard.type(word, { delay });
        await this.world.page.waitForTimeout(pause);
        this.draft = this.isSettings ? undefined : focused.id;
      },
    };
  }

  private press(focused: Control): Step {
    const key = pick(this.random, this.draft && this.random.chance(0.4) ? ['Enter', 'Tab'] : keys);
    const isArrow = /Arrow|Page/.test(key);
    const leaves = /Tab/.test(key);
    const isButton = focused.kind === 'button' && !harmless.test(focused.id);
    const chooses =
      (key === 'Enter' && (focused.isOpen || isButton)) ||
      (isArrow && focused.kind === 'radio') ||
      (key === 'Backspace' &&
        (focused.kind === 'lists' || /^Remove /.test(focused.id) || (this.isSettings && focused.kind === 'text')));
    const saves = this.draft !== undefined && (leaves || key === 'Enter');
    return {
      name: `press ${key} in ${focused.id}`,
      mayChange: chooses || saves,
      act: async () => {
        await this.world.page.keyboard.press(key);
        this.afterKey(key, focused);
      },
    };
  }

  private afterKey(key: string, { id, kind }: Control) {
    if (/Tab|Enter/.test(key) || (key === 'Escape' && kind !== 'text')) {
      this.draft = undefined;
    } else if (key === 'Backspace' && !this.isSettings && /text|list$/.test(kind)) {
      this.draft = id;
    }
  }
}

function difference(before: Record<string, unknown>, after: Record<string, unknown>): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => !isEqual(before[name], after[name]))
    .map((name) => `${name} was ${JSON.stringify(before[name])}, is ${JSON.stringify(after[name])}`)
    .join('; ');
}
