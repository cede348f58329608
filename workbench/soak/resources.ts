import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { metric } from '../backend/metrics';

/** What the backend process holds. The last three are null where there is no /proc. */
export interface Resources {
  goroutines: number;
  connections: number | null;
  files: number | null;
  /** Resident, in bytes. */
  memory: number | null;
}

const MIB = 2 ** 20;

/** What may be more than before without a leak: idle connections come and go, and Go's runtime keeps memory for a while. */
export const slack: Resources = { goroutines: 10, connections: 4, files: 6, memory: 48 * MIB };

/** Whether this system tells what a process holds. */
export const hasProc = existsSync('/proc/self/fd');

/**
 * Looks at a process.
 *
 * @param metrics its own, as text in Prometheus' format
 */
export function resourcesOf(pid: number, metrics: string): Resources {
  const goroutines = metric(metrics, 'go_goroutines');
  if (!hasProc) {
    return { goroutines, connections: null, files: null, memory: null };
  }
  const files = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  const [, kib] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB/m) ?? [];
  const connections = files.filter((file) => file.startsWith('socket:')).length;
  return { goroutines, connections, files: files.length, memory: Number(kib) * 1024 };
}

// A file can be closed between the listing and the look at it.
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** What a process holds more of than before, beyond the slack. */
export function grown(before: Resources, after: Resources): string[] {
  const names = Object.keys(slack) as Array<keyof Resources>;
  return names
    .filter((name) => (after[name] ?? 0) > (before[name] ?? 0) + slack[name]!)
    .map((name) => `${name} grew from ${show(name, before)} to ${show(name, after)}`);
}

function show(name: keyof Resources, { [name]: value }: Resources): string {
  return name === 'memory' && value !== null ? `${Math.round(value / MIB)} MiB` : `${value ?? '?'}`;
}

/** All four in a few words. */
export function resourcesLine(resources: Resources): string {
  const names = Object.keys(slack) as Array<keyof Resources>;
  return names.map((name) => `${name} ${show(name, resources)}`).join(', ');
}
