import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';

/** A started backend that has told where it listens. */
export interface BackendProcess {
  /** gRPC target, as @grpc/grpc-js writes it. */
  target: string;
  /** Process id, for whoever looks at its memory and time. */
  pid: number;
  /** Waits until the process is gone; ends it the hard way when it is still there after `graceMs`. */
  ended(graceMs: number): Promise<void>;
}

/** Called with every line that the backend writes after its handshake, log lines among them. */
export type LineSink = (line: string) => void;

const startTimeoutMs = 30_000;

// What Grafana gives a plugin: the go-plugin handshake, its own version, and of the host's variables only those below.
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

/** Reads go-plugin's handshake: `core version | protocol version | network | address | protocol | …`. */
export function targetOf(handshake: string): string {
  const [core, version, network, address, protocol] = handshake.trim().split('|');
  if (core !== '1' || version !== '2' || protocol !== 'grpc' || !address) {
    throw new Error(
      `The backend answered with "${handshake}" where go-plugin's handshake "1|2|unix|<path>|grpc" was expected`
    );
  }
  return network === 'unix' ? `unix:${address}` : address;
}

function exitOf(child: ChildProcess): Promise<unknown> {
  return child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();
}

/** Starts the backend binary the way Grafana does and waits for its handshake. */
export async function startProcess(binary: string, onLine: LineSink): Promise<BackendProcess> {
  const child = spawn(binary, [], { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  // A backend never outlives its host: it has no other way to notice that nobody is there any more.
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
      fail(`gave no handshake within ${startTimeoutMs / 1000} s`);
    }, startTimeoutMs);
    child.once('error', (error) => fail(`cannot be started: ${error.message}`));
    child.once('exit', (code, signal) => fail(`ended before its handshake (${signal ?? code})`));
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
