/** What `size` may be. */
export const sizes = ['ignored', 'honored', 'refused'] as const;

/** What `taskOrder` may be. */
export const taskOrders = ['newest', 'oldest', 'none'] as const;

/** What `days` may be. */
export const dayKinds = ['rolling', 'calendar'] as const;

/** What `listed` may be. */
export const listings = ['all', 'active'] as const;

/** Everything that shapes a simulated service. Counts are whole numbers. */
export interface SimulatorOptions {
  /** Address to listen on. */
  host: string;
  /** Port to listen on; 0 takes any free one. */
  port: number;
  /** Login value that the login route accepts. */
  login: string;
  /** Key value that the login route accepts. */
  key: string;
  /** Label of the organization that a login opens. */
  organization: string;
  /** Same seed, options and time: same world. */
  seed: number;
  /** Time to stand still at (ISO 8601); absent: the world moves with the wall clock. */
  frozen?: string;
  automations: number;
  runners: number;
  /** Tasks on a working day; a Saturday or Sunday has 40 % of them. */
  tasksPerDay: number;
  /** Exactly so many tasks, spread over the last 30 days before the start, and none after it. */
  tasksTotal?: number;
  /** Days that the service remembers: a longer look back gives no more. */
  historyDays: number;
  /** Where a look back of N days begins: N times 24 hours ago, or at 0:00 UTC of that day (not in the specification). */
  days: (typeof dayKinds)[number];
  /** Which automations and runners a list has: all, or those with tasks in the look back (not in the specification). */
  listed: (typeof listings)[number];
  /** Records of a page. */
  pageSize: number;
  /** What the undocumented query parameter `size` does: nothing, the page size up to `maxPageSize`, or a 400. */
  size: (typeof sizes)[number];
  /** The largest page that `size` gets. */
  maxPageSize: number;
  /** What the list of tasks is ordered by (not in the specification). */
  taskOrder: (typeof taskOrders)[number];
  /** Milliseconds that every request of the service takes. */
  latency: number;
  /** Seconds that a token lives. */
  tokenLifetime: number;
  /** Scale of the rates: 0..1 or 0..100 (the specification leaves it open). */
  rates: 'fraction' | 'percent';
  /** Whether roi, fte and savings hold amounts, or zeros or nulls as before a workspace entered its costs. */
  costs: 'entered' | 'zero' | 'null';
  /** Shape of the runners answer (not in the specification): a bare array, or the paged envelope. */
  runnersShape: 'array' | 'envelope';
  /** Path of the runners route (not in the specification). */
  runnersPath: string;
  /** Whether a request without User-Agent gets a 403, as at least one front end of the service does. */
  requireUserAgent: boolean;
}

/** A small company that is pleasant to look at. */
export const defaults: SimulatorOptions = {
  host: '127.0.0.1',
  port: 0,
  login: 'demo',
  key: 'demo-key',
  organization: 'acme',
  seed: 1,
  automations: 12,
  runners: 6,
  tasksPerDay: 400,
  historyDays: 30,
  days: 'rolling',
  listed: 'all',
  pageSize: 20,
  size: 'ignored',
  maxPageSize: 2000,
  taskOrder: 'newest',
  latency: 0,
  tokenLifetime: 3600,
  rates: 'fraction',
  costs: 'entered',
  runnersShape: 'array',
  runnersPath: '/api/v1/insights/runner',
  requireUserAgent: true,
};

/** Most tasks of one day: an id is the day times 100,000 plus the number within it, and tests add some. */
export const MOST_TASKS_A_DAY = 80_000;

/** Most records of any page. */
export const MOST_PAGE_SIZE = 10_000;

const limits: Array<[key: keyof SimulatorOptions, least: number, most: number]> = [
  ['port', 0, 65_535],
  ['seed', 0, 2 ** 31 - 1],
  ['automations', 0, 100_000],
  ['runners', 0, 100_000],
  ['tasksPerDay', 0, MOST_TASKS_A_DAY],
  ['historyDays', 1, 3_650],
  ['pageSize', 1, MOST_PAGE_SIZE],
  ['maxPageSize', 1, MOST_PAGE_SIZE],
  ['latency', 0, 600_000],
  ['tokenLifetime', 0, 2 ** 31 - 1],
];

const choices: Array<[key: keyof SimulatorOptions, allowed: readonly string[]]> = [
  ['size', sizes],
  ['taskOrder', taskOrders],
  ['days', dayKinds],
  ['listed', listings],
  ['rates', ['fraction', 'percent']],
  ['costs', ['entered', 'zero', 'null']],
  ['runnersShape', ['array', 'envelope']],
];

/** Fills in the defaults and throws an error that names the option and what is allowed. */
export function resolveOptions(given: Partial<SimulatorOptions>): SimulatorOptions {
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  const options: SimulatorOptions = { ...defaults, ...Object.fromEntries(stated) };

  for (const [key, least, most] of limits) {
    checkWhole(key, options[key], least, most);
  }
  if (options.tasksTotal !== undefined) {
    checkWhole('tasksTotal', options.tasksTotal, 0, MOST_TASKS_A_DAY * Math.min(options.historyDays, 30));
  }
  for (const [key, allowed] of choices) {
    if (!allowed.includes(String(options[key]))) {
      throw new Error(`${key} is "${options[key]}"; allowed: ${allowed.join(', ')}`);
    }
  }
  if (options.frozen !== undefined && Number.isNaN(Date.parse(options.frozen))) {
    throw new Error(`frozen is "${options.frozen}"; expected a time such as 2026-03-12T15:00:00Z`);
  }
  if (!/^\/[\w.~/-]+$/.test(options.runnersPath) || options.runnersPath.startsWith('/simulator/')) {
    throw new Error(`runnersPath is "${options.runnersPath}"; expected a path such as ${defaults.runnersPath}`);
  }
  return options;
}

function checkWhole(key: string, value: unknown, least: number, most: number) {
  if (!Number.isInteger(value) || Number(value) < least || Number(value) > most) {
    throw new Error(`${key} is ${value}; expected a whole number from ${least} to ${most}`);
  }
}
