import { parseArgs } from 'node:util';

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
  /** Seconds that the clock of the server, in the header Date, is ahead; below 0, it is behind. The world has its own. */
  clockSkew: number;
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
const defaults: SimulatorOptions = {
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
  clockSkew: 0,
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
  ['clockSkew', -(2 ** 31), 2 ** 31 - 1],
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

/** What a test can switch while the service runs. */
export interface Switches extends Pick<SimulatorOptions, 'size' | 'maxPageSize' | 'taskOrder'> {
  /** Records have fields that the specification does not know. */
  unknownFields: boolean;
}

/** The switches as the options have them. */
export function switchesOf({ size, maxPageSize, taskOrder }: SimulatorOptions): Switches {
  return { size, maxPageSize, taskOrder, unknownFields: false };
}

interface Flag {
  name: string;
  option: keyof SimulatorOptions;
  /** What follows the flag, or nothing for a switch. */
  takes?: 'number' | 'text';
  /** What a switch sets. */
  sets?: SimulatorOptions[keyof SimulatorOptions];
  help: string;
}

const flags: Flag[] = [
  { name: 'port', option: 'port', takes: 'number', help: 'port to listen on; 0 takes any free one' },
  { name: 'host', option: 'host', takes: 'text', help: 'address to listen on; 0.0.0.0 in a container' },
  { name: 'login', option: 'login', takes: 'text', help: 'login that is accepted' },
  { name: 'key', option: 'key', takes: 'text', help: 'key that is accepted' },
  { name: 'organization', option: 'organization', takes: 'text', help: 'organization label' },
  { name: 'seed', option: 'seed', takes: 'number', help: 'same seed, options and time: same world' },
  { name: 'frozen', option: 'frozen', takes: 'text', help: 'stand still at this ISO 8601 time (quiet data)' },
  { name: 'automations', option: 'automations', takes: 'number', help: 'number of automations' },
  { name: 'runners', option: 'runners', takes: 'number', help: 'number of runners' },
  { name: 'tasks-per-day', option: 'tasksPerDay', takes: 'number', help: 'tasks on a working day (weekend: 40 %)' },
  { name: 'tasks-total', option: 'tasksTotal', takes: 'number', help: 'exactly so many tasks, none after the start' },
  { name: 'history-days', option: 'historyDays', takes: 'number', help: 'days that the service remembers' },
  {
    name: 'days',
    option: 'days',
    takes: 'text',
    help: 'a look back is rolling (N x 24 hours) or of calendar days, UTC',
  },
  { name: 'listed', option: 'listed', takes: 'text', help: 'automations and runners: all, or the active ones' },
  { name: 'page-size', option: 'pageSize', takes: 'number', help: 'records of a page' },
  { name: 'size', option: 'size', takes: 'text', help: 'parameter size is ignored, honored or refused (400)' },
  { name: 'honor-size', option: 'size', sets: 'honored', help: 'short for --size honored' },
  { name: 'max-page-size', option: 'maxPageSize', takes: 'number', help: 'largest page that parameter size gets' },
  { name: 'task-order', option: 'taskOrder', takes: 'text', help: 'newest or oldest task first, or none' },
  { name: 'latency', option: 'latency', takes: 'number', help: 'milliseconds that every request takes' },
  { name: 'clock-skew', option: 'clockSkew', takes: 'number', help: 'seconds that the header Date is ahead' },
  { name: 'token-lifetime', option: 'tokenLifetime', takes: 'number', help: 'seconds that a token lives' },
  { name: 'rates', option: 'rates', takes: 'text', help: 'fraction (0..1) or percent (0..100)' },
  { name: 'costs', option: 'costs', takes: 'text', help: 'roi, fte and savings: entered, zero or null' },
  { name: 'no-costs', option: 'costs', sets: 'zero', help: 'short for --costs zero' },
  { name: 'runners-shape', option: 'runnersShape', takes: 'text', help: 'array, or envelope (then paged)' },
  { name: 'runners-path', option: 'runnersPath', takes: 'text', help: 'path of the runners route' },
  { name: 'allow-no-user-agent', option: 'requireUserAgent', sets: false, help: 'serve requests without User-Agent' },
];

/** Port of the command line, so that an address can be written down. In-process use takes any free one. */
const usual: SimulatorOptions = { ...defaults, port: 4010 };

/** What the command line asks for. */
export interface Arguments {
  help: boolean;
  /** Stop when stdin closes, so that no process outlives the test that started it. */
  exitWithParent: boolean;
  options: SimulatorOptions;
}

/** Reads a command line; throws an error that names an unknown flag or a value that is not allowed. */
export function parseArguments(argv: string[]): Arguments {
  const { values } = parseArgs({
    args: argv,
    options: {
      help: { type: 'boolean', short: 'h' },
      'exit-with-parent': { type: 'boolean' },
      ...Object.fromEntries(flags.map((flag) => [flag.name, { type: flag.takes ? 'string' : 'boolean' } as const])),
    },
  });
  const given: Record<string, string | boolean | undefined> = values;
  const stated = flags.filter((flag) => given[flag.name] !== undefined);
  return {
    help: given.help === true,
    exitWithParent: given['exit-with-parent'] === true,
    options: resolveOptions({
      ...usual,
      ...Object.fromEntries(stated.map((flag) => [flag.option, valueOf(flag, given[flag.name])])),
    }),
  };
}

function valueOf(flag: Flag, given: string | boolean | undefined) {
  if (!flag.takes) {
    return flag.sets;
  }
  // An empty text would count as 0, which is no number that anybody wrote.
  return flag.takes === 'number' ? Number(given || NaN) : given;
}

/** The text of --help. */
export function helpText(): string {
  const lines = flags.map((flag) => {
    const value = usual[flag.option];
    const shown = flag.takes && value !== undefined ? ` (${value})` : '';
    return line(`--${flag.name}${flag.takes ? ` <${flag.takes}>` : ''}`, flag.help + shown);
  });
  return [
    'Insights simulator: the reporting service, simulated. simulator/README.md has the routes for tests.',
    '',
    ...lines,
    line('--exit-with-parent', 'stop when stdin closes'),
    line('--help', 'this text'),
  ].join('\n');
}

function line(flag: string, help: string): string {
  return `  ${flag.padEnd(26)} ${help}`;
}
