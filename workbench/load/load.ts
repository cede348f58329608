import os from 'node:os';
import { parseArgs } from 'node:util';

import { ratios } from './ratios';
import { Run } from './run';

/** The shortest time in which a key changes, and some faults come and go. */
const LEAST = 0.5;

function numberOf(name: string, text: string, isValid: (value: number) => boolean, allowed: string): number {
  const value = Number(text);
  if (!isValid(value)) {
    throw new Error(`--${name} is "${text}"; it must be ${allowed}`);
  }
  return value;
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { minutes: text, seed: text, json: { type: 'boolean' } } });
  const isTime = (value: number) => value === 0 || (value >= LEAST && value <= 1440);
  const minutes = numberOf('minutes', values.minutes ?? '10', isTime, `0 or a number from ${LEAST} to 1440`);
  const isSeed = (value: number) => Number.isInteger(value) && value > 0 && value < 2 ** 31;
  const seed = numberOf('seed', values.seed ?? '1', isSeed, 'a whole number from 1 to 2147483647');

  const print = values.json ? () => undefined : console.log;
  const verdict = minutes > 0 ? await Run.start(minutes, seed, print) : { faults: [], answers: undefined };
  verdict.faults.forEach(print);
  print(verdict.faults.length > 0 ? 'FAILED' : 'ok');
  const table = await ratios();
  const wide = Math.max(...table.map(({ name }) => name.length));
  for (const { name, value, aim = '', detail } of table) {
    print(`${name.padEnd(wide)}  ${value.toFixed(2).padStart(5)}  ${(aim && `aim ${aim}`).padEnd(10)}  ${detail}`);
  }
  if (values.json) {
    const machine = `${os.cpus().length} × ${os.cpus()[0].model}`;
    console.log(JSON.stringify({ machine, minutes, seed, ...verdict, ratios: table }, null, 2));
  }
  process.exitCode = verdict.faults.length > 0 ? 1 : 0;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
