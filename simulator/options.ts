import { parseArgs } from 'node:util';

/** Values of `size`. */
const sizes = ['ignored', 'honored', 'refused'] as const;

/** Everything that configures a simulated service. Counts are whole numbers. */
export interface SimulatorOptions {
  /** Address to listen on. */
  host: string;
  /** Port to listen on; 0 selects any free one. */
  port: number;
  /** Login value that the login route accepts. */
  login: string;
  /** Key value that the login route accepts. */
  key: string;
  /** Label of the organization that a login belongs to. */
  organization: string;
  /** The same seed, options, and time produce the same world. */
  seed: number;
  /** Time at which the world is frozen (ISO 8601); absent: it moves with the wall clock. */
  frozen?: string;
  automations: number;
  runners: number;
  /** Tasks per working day; a Saturday or Sunday has 40 % of them. */
  tasksPerDay: number;
  /** Exact number of tasks, spread over the last 30 days before the start, and none after it. */
  tasksTotal?: number;
  /** Days that the service remembers: a longer window returns no more. */
  historyDays: number;
  /** Records per page. */
  pageSize: number;
  /** Effect of the undocumented query parameter `size`: none, the page size up to `maxPageSize`, or a 400. */
  size: (typeof sizes)[number];
  /** The largest page that `size` can request. */
  maxPageSize: number;
  /** Milliseconds that every request to the service takes. */
  latency: number;
  /**
   * Seconds by which the server's clock, in the Date header, is ahead; negative: behind. The world has its own clock.
   */
  clockSkew: number;
  /** Lifetime of a token in seconds. */
  tokenLifetime: number;
  /** Scale of the rates: 0..1 or 0..100 (the specification leaves it open). */
  rates: 'fraction' | 'percent';
  /** Whether roi, fte, and savings contain amounts, or zeros or nulls as before a workspace entered its costs. */
  costs: 'entered' | 'zero' | 'null';
  /** Shape of the runners response (not in the specification): a bare array, or the paged envelope. */
  runnersShape: 'array' | 'envelope';
  /** Path of the runners route (not in the specification). */
  runnersPath: string;
}

/** A small company with plausible data. */
const defaults: SimulatorOptions = {
  host: '127.0.0.1',
  port: 0,
  login: 'demo',
  key: 'demo-key',
  organization: 'acme',
  seed: 1,
  automations: 16,
  runners: 8,
  tasksPerDay: 400,
  historyDays: 30,
  pageSize: 20,
  size: 'ignored',
  maxPageSize: 2000,
  latency: 0,
  clockSkew: 0,
  tokenLifetime: 3600,
  rates: 'fraction',
  costs: 'entered',
  runnersShape: 'array',
  runnersPath: '/api/v1/insights/runner',
};

/** Maximum tasks per day: an ID is the day times 100,000 plus the number within it, and tests add some. */
export const MOST_TASKS_A_DAY = 80_000;

/** Maximum records per page. */
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
  ['rates', ['fraction', 'percent']],
  ['costs', ['entered', 'zero', 'null']],
  ['runnersShape', ['array', 'envelope']],
];

/** Applies the defaults; throws an error that names the option and what is allowed. */
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
    throw new Error(`frozen is "${options.frozen}"; it must be a time such as 2026-03-12T15:00:00Z`);
  }
  if (!/^\/[\w.~/-]+$/.test(options.runnersPath) || options.runnersPath.startsWith('/simulator/')) {
    throw new Error(`runnersPath is "${options.runnersPath}"; it must be a path such as ${defaults.runnersPath}`);
  }
  return options;
}

function checkWhole(key: string, value: unknown, least: number, most: number) {
  if (!Number.isInteger(value) || Number(value) < least || Number(value) > most) {
    throw new Error(`${key} is ${value}; it must be a whole number from ${least} to ${most}`);
  }
}

/** The option of each flag, with its help. */
const helps: Partial<Record<keyof SimulatorOptions, string>> = {
  port: 'port to listen on; 0 selects any free one',
  host: 'address to listen on; 0.0.0.0 in a container',
  login: 'accepted login',
  key: 'accepted key',
  organization: 'organization label',
  seed: 'the same seed, options, and time produce the same world',
  frozen: 'freeze the world at this ISO 8601 time (quiet data)',
  automations: 'number of automations',
  runners: 'number of runners',
  tasksPerDay: 'tasks per working day (weekend: 40 %)',
  tasksTotal: 'exact number of tasks, none after the start',
  historyDays: 'days that the service remembers',
  pageSize: 'records per page',
  size: 'parameter size is ignored, honored, or refused (400)',
  maxPageSize: 'largest page that parameter size can request',
  latency: 'milliseconds that every request takes',
  clockSkew: 'seconds by which the Date header is ahead',
  tokenLifetime: 'lifetime of a token in seconds',
  rates: 'fraction (0..1) or percent (0..100)',
  costs: 'roi, fte, and savings: entered, zero, or null',
  runnersShape: 'array, or envelope (paged)',
  runnersPath: 'path of the runners route',
};

const flags = Object.entries(helps).map(([key, help]) => {
  const option = key as keyof SimulatorOptions;
  const isNumber = option === 'tasksTotal' || limits.some(([limited]) => limited === option);
  return { name: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), option, isNumber, help };
});

/** The command line uses a fixed port, so that the address can be documented. In-process use selects any free one. */
const usual: SimulatorOptions = { ...defaults, port: 4010 };

/** The parsed command line. */
export interface Arguments {
  help: boolean;
  /** Stop when stdin closes, so that no process outlives the test that started it. */
  exitWithParent: boolean;
  options: SimulatorOptions;
}

/** Parses a command line; throws an error that names an unknown flag or an invalid value. */
export function parseArguments(argv: string[]): Arguments {
  const { values } = parseArgs({
    args: argv,
    options: {
      help: { type: 'boolean', short: 'h' },
      'exit-with-parent': { type: 'boolean' },
      ...Object.fromEntries(flags.map((flag) => [flag.name, { type: 'string' } as const])),
    },
  });
  const given: Record<string, string | boolean | undefined> = values;
  const stated = flags.flatMap(({ name, option, isNumber }) => {
    const value = given[name];
    // Number('') is 0, which nobody wrote.
    return value === undefined ? [] : [[option, isNumber ? Number(value || NaN) : value]];
  });
  return {
    help: given.help === true,
    exitWithParent: given['exit-with-parent'] === true,
    options: resolveOptions({ ...usual, ...Object.fromEntries(stated) }),
  };
}

/** The text of --help. */
export function helpText(): string {
  const lines = flags.map((flag) => {
    const value = usual[flag.option];
    const shown = value === undefined ? '' : ` (${value})`;
    return line(`--${flag.name} <${flag.isNumber ? 'number' : 'text'}>`, flag.help + shown);
  });
  return [
    'Insights simulator: a simulated reporting service. For the test routes, see simulator/README.md.',
    '',
    ...lines,
    line('--exit-with-parent', 'stop when stdin closes'),
    line('--help', 'show this help'),
  ].join('\n');
}

function line(flag: string, help: string): string {
  return `  ${flag.padEnd(26)} ${help}`;
}
