import os from 'node:os';
import { parseArgs } from 'node:util';
import { decoding, requests } from './go';
import { oneList } from './list';
import { coldRead, growth, sharedRead, type Figure } from './measures';
import { largerPages, refreshes } from './refresh';

const { values } = parseArgs({ options: { json: { type: 'boolean' } } });

function print(figures: Figure[]): void {
  const wide = Math.max(...figures.map(({ name }) => name.length));
  for (const { name, value, aim, detail } of figures) {
    console.log(
      `${name.padEnd(wide)}  ${value.toFixed(2).padStart(6)}  ${(aim ? `aim ${aim}` : '').padEnd(18)}  ${detail}`
    );
  }
}

async function main(): Promise<void> {
  // One at a time, so that each has the machine to itself.
  const figures = [
    await coldRead(),
    await sharedRead(),
    ...(await decoding()),
    ...(await growth()),
    ...(await refreshes()),
    ...(await largerPages()),
    ...(await oneList()),
    ...(await requests()),
  ];
  if (values.json) {
    console.log(JSON.stringify({ machine: `${os.cpus().length} × ${os.cpus()[0].model}`, figures }, null, 2));
    return;
  }
  print(figures);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
