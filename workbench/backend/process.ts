import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';

/** A running backend that has announced its address. */
export interface BackendProcess {
  /** gRPC target, in the format of @grpc/grpc-js. */
  target: string;
  /** Process ID, to measure its memory and time. */
  pid: number;
  /** Waits until the process exits; kills it after `graceMs`. */
  ended(graceMs: number): Promise<void>;
}

/** Called with every line that the backend writes after its handshake, including log lines. */
export type LineSink = (line: string) => void;

const startTimeoutMs = 30_000;

// The environment that Grafana gives a plugin: the go-plugin handshake, its own version, and only these variables of
// the host.
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  return {
    PATH,
    HOME,
    TMPDIR,
    SystemRoot,
    TZ: 'UTC',
    GF_VERSION: '13.1.0',
    grafana_plugin_type: 'datasource',
    PLUGIN_PROTOCOL_VERSIONS: '2',
    PLUGIN_MIN_PORT: '10000',
    PLUGIN_MAX_PORT: '25000',
    PLUGIN_UNIX_SOCKET_DIR: tmpdir(),
  };
}

/** Parses go-plugin's handshake: `core version | protocol version | network | address | protocol | …`. */
export function targetOf(handshake: string): string {
  const [core, version, network, address, protocol] = handshake.trim().split('|');
  if (core !== '1' || version !== '2' || protocol !== 'grpc' || !address) {
    throw new Error(`The backend answered with "${handshake}" instead of go-plugin's handshake "1|2|unix|<path>|grpc"`);
  }
  return network === 'unix' ? `unix:${address}` : address;
}

function exitOf(child: ChildProcess): Promise<unknown> {
  return child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();
}

/** Starts the backend binary as Grafana does, and waits for its handshake. */
export async function startProcess(binary: string, onLine: LineSink): Promise<BackendProcess> {
  const child = spawn(binary, [], { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  // A backend must not outlive its host: it can't detect that the host is gone.
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));

  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    errors.push(line);
    errors.splice(0, errors.length - 20);
    onLine(line);
  });

  const handshake = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error([`${binary} ${reason}`, ...errors].join('\n')));
    };
    const timer = setTimeout(() => {
      kill();
      fail(`sent no handshake within ${startTimeoutMs / 1000} s`);
    }, startTimeoutMs);
    child.once('error', (error) => fail(`failed to start: ${error.message}`));
    child.once('exit', (code, signal) => fail(`exited before its handshake (${signal ?? code})`));
    const lines = createInterface({ input: child.stdout });
    lines.once('line', (line) => {
      clearTimeout(timer);
      lines.on('line', onLine);
      resolve(line);
    });
  });

  return {
    target: targetOf(handshake),
    pid: child.pid!,
    async ended(graceMs) {
      const timer = setTimeout(kill, graceMs);
      await exitOf(child);
      clearTimeout(timer);
    },
  };
}
