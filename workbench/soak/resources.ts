import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { metric } from '../backend/metrics';

/** The resources of the backend process. The last three are null without /proc. */
export interface Resources {
  goroutines: number;
  connections: number | null;
  files: number | null;
  /** Resident memory, in bytes. */
  memory: number | null;
}

const MIB = 2 ** 20;

/** Allowed growth without a leak: idle connections come and go, and Go's runtime keeps memory for a while. */
export const slack: Resources = { goroutines: 10, connections: 4, files: 6, memory: 48 * MIB };

/** Whether this system reports the resources of a process. */
export const hasProc = existsSync('/proc/self/fd');

/**
 * Measures a process.
 *
 * @param metrics its own metrics, as text in Prometheus' format
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

// A file can be closed after it was listed.
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** The resources that grew by more than the slack. */
export function grown(before: Resources, after: Resources): string[] {
  const names = Object.keys(slack) as Array<keyof Resources>;
  return names
    .filter((name) => (after[name] ?? 0) > (before[name] ?? 0) + slack[name]!)
    .map((name) => `${name} grew from ${show(name, before)} to ${show(name, after)}`);
}

function show(name: keyof Resources, { [name]: value }: Resources): string {
  return name === 'memory' && value !== null ? `${Math.round(value / MIB)} MiB` : `${value ?? '?'}`;
}

/** All four in one line. */
export function resourcesLine(resources: Resources): string {
  const names = Object.keys(slack) as Array<keyof Resources>;
  return names.map((name) => `${name} ${show(name, resources)}`).join(', ');
}
