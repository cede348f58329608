import { writeFileSync } from 'node:fs';

import { peakMemory, residentMemory } from '../../../workbench/backend/resources';
import { type Handlers, withHostile } from './hostile';
import { Plugin } from './plugin';

function whyNot(): string | false {
  try {
    resetPeak(process.pid);
    return false;
  } catch {
    return 'memory and processor time of a process are read from /proc, which is Linux';
  }
}

// Resets the kernel's peak (proc(5), clear_refs).
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The reason why nothing can be measured on this machine, or false. For the option `skip` of a test. */
export const skip = whyNot();

export const mebibyte = 1 << 20;

/** Bytes in human-readable form. */
export const mib = (bytes: number) => `${(bytes / mebibyte).toFixed(0)} MiB`;

/** Runs the work and measures the peak memory above what the process had before, in bytes. */
export async function measured<T>(pid: number, work: () => Promise<T>): Promise<{ value: T; peak: number }> {
  const idle = residentMemory(pid);
  resetPeak(pid);
  const value = await work();
  return { value, peak: peakMemory(pid) - idle };
}

/** Runs work with its own service and its own backend, whose memory contains nothing of other tests. */
export function withBoth<T>(handlers: Handlers, work: (plugin: Plugin, url: string) => Promise<T>): Promise<T> {
  return withHostile(handlers, async (url) => {
    const plugin = new Plugin();
    await plugin.start();
    try {
      return await work(plugin, url);
    } finally {
      await plugin.backend.stop();
    }
  });
}
