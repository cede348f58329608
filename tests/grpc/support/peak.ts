import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { cpuSeconds, peakMemory } from '../../../workbench/bench/measures';
import { type Handlers, type Hostile, withHostile } from './hostile';
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

/** Current memory of a process, in bytes. */
export function residentMemory(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) * 1024;
}

export const mebibyte = 1 << 20;

/** Bytes in human-readable form. */
export const mib = (bytes: number) => `${(bytes / mebibyte).toFixed(0)} MiB`;

export interface Measured<T> {
  value: T;
  /** Peak memory above what the process had before, in bytes. */
  peak: number;
  /** Wall time in milliseconds. */
  ms: number;
}

/** Runs the work and measures the peak of the process. */
export async function measured<T>(pid: number, work: () => Promise<T>): Promise<Measured<T>> {
  const idle = residentMemory(pid);
  resetPeak(pid);
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started, peak: peakMemory(pid) - idle };
}

/**
 * Waits until a process is idle, up to a time limit; returns its processor seconds until then, and whether it is idle.
 */
export async function workUntilQuiet(pid: number, mostMs: number): Promise<{ seconds: number; quiet: boolean }> {
  const start = cpuSeconds(pid);
  const until = performance.now() + mostMs;
  for (let last = start; ;) {
    // Long enough for a busy machine to let the process run.
    await sleep(1_000);
    const now = cpuSeconds(pid);
    const quiet = now - last <= 0.02;
    if (quiet || performance.now() > until) {
      return { seconds: now - start, quiet };
    }
    last = now;
  }
}

/** Runs work with its own backend, whose memory contains nothing of other tests. */
export async function withPlugin<T>(work: (plugin: Plugin) => Promise<T>): Promise<T> {
  const plugin = new Plugin();
  await plugin.start();
  try {
    return await work(plugin);
  } finally {
    await plugin.backend.stop();
  }
}

/** Runs work with its own service and backend. */
export function withBoth<T>(handlers: Handlers, work: (plugin: Plugin, service: Hostile) => Promise<T>): Promise<T> {
  return withHostile(handlers, (service) => withPlugin((plugin) => work(plugin, service)));
}
