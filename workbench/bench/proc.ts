import { readFileSync } from 'node:fs';

// /proc counts in ticks of 10 ms on every Linux that Node runs on.
const ticksPerSecond = 100;

/** Most memory that a process has had so far, in bytes (Linux). */
export function peakMemory(pid: number): number {
  const [, kb] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmHWM:\s+(\d+) kB/m) ?? [];
  return Number(kb) * 1024;
}

/** Processor time that a process has used so far, in seconds (Linux). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in brackets, which may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
