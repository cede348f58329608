import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

// What Linux says about a process under /proc.

const memory = (pid: number, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Current memory of a process, in bytes. */
export const residentMemory = (pid: number) => memory(pid, 'VmRSS');

/** Peak memory of a process so far, in bytes. */
export const peakMemory = (pid: number) => memory(pid, 'VmHWM');

/** Open sockets of a process. */
export function connections(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:')).length;
}

// A file can be closed after it was listed.
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
