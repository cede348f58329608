import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface Options {
  check: boolean;
  /** Whether what changes is built again. */
  watch: boolean;
  port: number;
  /** Whether another port may be taken when this one is in use: not when somebody asked for it. */
  anyOtherPort: boolean;
  /** Another service than the simulator. */
  service?: { url: string; login: string; key: string; runnersPath?: string };
}

const usualPort = 8080;

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new Error(`--port is "${text}"; expected a number from 0 to 65535`);
  }
  return port;
}

/** Reads a command line (`scripts/start.mjs` has its help text); throws an error that names what is wrong. */
export function parseOptions(argv: string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args: argv,
    options: {
      check: { type: 'boolean' },
      watch: { type: 'boolean' },
      port: { type: 'string' },
      url: { type: 'string' },
      login: { type: 'string' },
      'runners-path': { type: 'string' },
    },
  });
  const { check = false, watch = false, port, url, login, 'runners-path': runnersPath } = values;
  if (url === undefined && (login !== undefined || runnersPath !== undefined)) {
    throw new Error('--login and --runners-path belong to another service: say which with --url');
  }
  if (check && watch) {
    throw new Error('--check ends at once, so there is nothing to --watch: use one of them');
  }
  return {
    check,
    watch,
    port: port === undefined ? usualPort : portOf(port),
    anyOtherPort: port === undefined,
    // What is missing is left empty: the plugin itself says which setting it is and what it expects.
    service:
      url === undefined
        ? undefined
        : { url, login: login ?? env.INSIGHTS_LOGIN ?? '', key: env.INSIGHTS_KEY ?? '', runnersPath },
  };
}
