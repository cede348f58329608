import { parseArgs } from 'node:util';

import { ratios } from './ratios';
import { Run } from './run';
import { measure, rowsOf } from './scale';

/** The shortest time in which a key changes, and some faults come and go. */
const LEAST = 0.5;

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { minutes: text, seed: text, tasks: text, 'data-sources': text } });
  const whole = (name: keyof typeof values, initial: number) => {
    const number = Number(values[name] ?? initial);
    if (!Number.isInteger(number) || number < 1) {
      throw new Error(`--${name} is "${values[name]}"; it must be a whole number from 1`);
    }
    return number;
  };
  if (values.tasks !== undefined || values['data-sources'] !== undefined) {
    const [tasks, dataSources] = [whole('tasks', 50_000), whole('data-sources', 1)];
    const scale = { tasks, dataSources, rounds: whole('minutes', 2), every: 60_000 };
    rowsOf(scale, await measure(scale)).forEach((row) => console.log(row));
    return;
  }
  const [minutes, seed] = [Number(values.minutes ?? 10), whole('seed', 1)];
  if (minutes !== 0 && !(minutes >= LEAST && minutes <= 1440)) {
    throw new Error(`--minutes is "${values.minutes}"; it must be 0 or a number from ${LEAST} to 1440`);
  }
  const { faults } = minutes > 0 ? await Run.start(minutes, seed, console.log) : { faults: [] };
  faults.forEach((fault) => console.log(fault));
  console.log(faults.length > 0 ? 'FAILED' : 'ok');
  const table = await ratios();
  const wide = Math.max(...table.map(({ name }) => name.length));
  for (const { name, value, detail } of table) {
    console.log(`${name.padEnd(wide)}  ${value.toFixed(2).padStart(5)}  ${detail}`);
  }
  process.exitCode = faults.length > 0 ? 1 : 0;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
