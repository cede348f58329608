import { parseArgs } from 'node:util';

/** An option of a simulated service: its default, what it accepts, and its help. */
interface Option<T> {
  initial: T;
  help: string;
  isNumber?: boolean;
  accepts: (value: unknown) => boolean;
  /** What is allowed, for messages. */
  allowed: string;
}

const text = (initial: string, help: string): Option<string> => ({
  ...{ initial, help, accepts: (value) => typeof value === 'string', allowed: 'it must be a text' },
});

const whole = (initial: number, least: number, most: number, help: string): Option<number> => ({
  ...{ initial, help, isNumber: true, allowed: `it must be a whole number from ${least} to ${most}` },
  accepts: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
});

/** One of some texts; the first is the default. */
const oneOf = <T extends string>(texts: readonly [T, ...T[]], help: string): Option<T> => ({
  ...{ initial: texts[0], help, allowed: `allowed: ${texts.join(', ')}` },
  accepts: (value) => texts.some((one) => one === value),
});

/** Maximum tasks per day: an ID is the day times 100,000 plus the number within it. */
const MOST_TASKS_A_DAY = 80_000;

/** Maximum records per page. */
export const MOST_PAGE_SIZE = 10_000;

/** Days over which an exact number of tasks is spread. */
export const EXACT_DAYS = 30;

const most32 = 2 ** 31 - 1;

/** Everything that configures a simulated service. The defaults are a small company with plausible data. */
const options = {
  port: whole(0, 0, 65_535, 'port to listen on; 0 selects any free one'),
  host: text('127.0.0.1', 'address to listen on; 0.0.0.0 in a container'),
  login: text('demo', 'accepted login'),
  key: text('demo-key', 'accepted key'),
  organization: text('acme', 'organization label'),
  seed: whole(1, 0, most32, 'the same seed, options, and time produce the same world'),
  frozen: {
    initial: undefined,
    help: 'freeze the world at this ISO 8601 time (quiet data)',
    accepts: (value) => !Number.isNaN(Date.parse(String(value))),
    allowed: 'it must be a time such as 2026-03-12T15:00:00Z',
  } as Option<string | undefined>,
  automations: whole(16, 0, 100_000, 'number of automations'),
  runners: whole(8, 0, 100_000, 'number of runners'),
  tasksPerDay: whole(400, 0, MOST_TASKS_A_DAY, 'tasks per working day (weekend: 40 %)'),
  tasksTotal: {
    ...whole(0, 0, MOST_TASKS_A_DAY * EXACT_DAYS, 'exact number of tasks over the last 30 days, none after the start'),
    initial: undefined,
  } as Option<number | undefined>,
  historyDays: whole(30, 1, 3_650, 'days that the service remembers: a longer window returns no more'),
  pageSize: whole(20, 1, MOST_PAGE_SIZE, 'records per page'),
  size: oneOf(['ignored', 'honored', 'refused'], 'parameter size is ignored, honored, or refused (400)'),
  maxPageSize: whole(2000, 1, MOST_PAGE_SIZE, 'largest page that parameter size can request'),
  latency: whole(0, 0, 600_000, 'milliseconds that every request takes'),
  // The world has its own clock.
  clockSkew: whole(0, -most32, most32, 'seconds by which the Date header is ahead'),
  tokenLifetime: whole(3600, 0, most32, 'lifetime of a token in seconds'),
  // The specification leaves the scale of rates and the route of runners open.
  rates: oneOf(['fraction', 'percent'], 'fraction (0..1) or percent (0..100)'),
  costs: oneOf(['entered', 'zero', 'null'], 'roi, fte, and savings: entered, zero, or null'),
  runnersShape: oneOf(['array', 'envelope'], 'array, or envelope (paged)'),
  runnersPath: {
    initial: '/api/v1/insights/runner',
    help: 'path of the runners route',
    accepts: (value) => /^\/(?!simulator\/)[\w.~/-]+$/.test(String(value)),
    allowed: 'it must be a path such as /api/v1/insights/runner',
  } as Option<string>,
};

type Name = keyof typeof options;

export type SimulatorOptions = { [N in Name]: (typeof options)[N] extends Option<infer T> ? T : never };

const entries = Object.entries(options) as Array<[Name, Option<unknown>]>;

/** Applies the defaults; throws an error that names the option and what is allowed. */
export function resolveOptions(given: Partial<SimulatorOptions>): SimulatorOptions {
  const values = entries.map(([name, { initial, accepts, allowed }]) => {
    const value = given[name] ?? initial;
    if (value !== undefined && !accepts(value)) {
      throw new Error(`${name} is ${typeof value === 'string' ? `"${value}"` : value}; ${allowed}`);
    }
    return [name, value];
  });
  const resolved: SimulatorOptions = Object.fromEntries(values);
  const { tasksTotal = 0, historyDays } = resolved;
  if (tasksTotal > MOST_TASKS_A_DAY * historyDays) {
    throw new Error(`tasksTotal is ${tasksTotal}, which are too many for historyDays ${historyDays}`);
  }
  return resolved;
}

const flagOf = (name: Name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The command line uses a fixed port, so that the address can be documented. In-process use selects any free one. */
const usualPort = 4010;

/** The parsed command line. */
interface Arguments {
  help: boolean;
  options: SimulatorOptions;
}

/** Parses a command line; throws an error that names an unknown flag or an invalid value. */
export function parseArguments(argv: string[]): Arguments {
  const { values } = parseArgs({
    args: argv,
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(entries.map(([name]) => [flagOf(name), { type: 'string' } as const])),
    },
  });
  const given: Record<string, string | boolean | undefined> = values;
  const stated = entries.map(([name, { isNumber }]) => {
    const value = given[flagOf(name)];
    // Number('') is 0, which nobody wrote.
    return [name, isNumber && value !== undefined ? Number(value || NaN) : value];
  });
  return {
    help: given.help === true,
    options: resolveOptions({ ...Object.fromEntries(stated), port: Number(given.port ?? usualPort) }),
  };
}

/** The text of --help. */
export function helpText(): string {
  const line = (flag: string, help: string) => `  ${flag.padEnd(26)} ${help}`;
  const lines = entries.map(([name, { initial, help, isNumber }]) => {
    const value = name === 'port' ? usualPort : initial;
    return line(
      `--${flagOf(name)} <${isNumber ? 'number' : 'text'}>`,
      value === undefined ? help : `${help} (${value})`
    );
  });
  return [
    'Insights simulator: a simulated reporting service. For the test routes, see simulator/README.md.',
    '',
    ...lines,
    line('--help', 'show this help'),
  ].join('\n');
}
