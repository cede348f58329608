import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

// What Linux says about a process under /proc.

const memory = (pid: number, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Current memory of a process, in bytes. */
export const residentMemory = (pid: number) => memory(pid, 'VmRSS');

/** Peak memory of a process so far, in bytes. */
export const peakMemory = (pid: number) => memory(pid, 'VmHWM');

/** Processor time of a process so far, in seconds. */
export function processorTime(pid: number): number {
  // The name of the program, in parentheses, may contain spaces. A tick is 10 ms.
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(user) + Number(system)) / 100;
}

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
