import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../backend/binary';
import type { DataSource } from '../backend/wire';

/** A simulated service in its own process, so that it doesn't share a thread with the benchmark. */
export interface MeasuredService {
  dataSource: DataSource;
  /** Data requests since the last call. */
  takeRequests(): Promise<number>;
  /** Calls one of the simulator's test routes; throws an error if it fails. */
  control(path: string, body: object): Promise<void>;
  close(): Promise<void>;
}

// A quiet world: the benchmark measures the plugin, not the clock.
export const frozen = '2026-11-02T18:00:00Z';

/** Starts the simulator with a number of tasks, and a delay of `latency` milliseconds per request. */
export async function startService(tasks: number, latency: number, more: string[] = []): Promise<MeasuredService> {
  const options = ['--port', '0', '--exit-with-parent', '--frozen', frozen];
  const world = ['--tasks-total', String(tasks), '--latency', String(latency), ...more];
  const cli = path.join('simulator', 'cli.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', cli, ...options, ...world], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const url = line.slice(line.indexOf('http://')).trim();
  return {
    dataSource: {
      uid: 'bench',
      name: 'Bench',
      url,
      jsonData: { login: 'demo' },
      secureJsonData: { key: 'demo-key' },
      updated: Date.now(),
    },
    async takeRequests() {
      const { byRoute } = (await (await fetch(`${url}/simulator/requests`)).json()) as {
        byRoute: Record<string, number>;
      };
      await fetch(`${url}/simulator/requests`, { method: 'DELETE' });
      return byRoute.tasks ?? 0;
    },
    async control(path, body) {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(`${url}/simulator/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) {
        throw new Error(`the simulator refused the request: ${await answer.text()}`);
      }
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null) {
        await once(child, 'exit');
      }
    },
  };
}
