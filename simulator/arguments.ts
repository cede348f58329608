import { parseArgs } from 'node:util';

import { defaults, resolveOptions, type SimulatorOptions } from './options';

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
