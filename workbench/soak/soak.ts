import { parseOptions } from './options';
import { soak } from './run';

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  const { minutes, seed, tasksPerDay } = options;
  console.log(`running the soak test for ${minutes} min with seed ${seed}, ${tasksPerDay} tasks a day`);
  const { faults, tally } = await soak(options, console.log);
  faults.forEach((fault) => console.log(`  ${fault}`));
  console.log(`verdict: ${faults.length === 0 ? 'sound' : 'NOT SOUND'}, ${tally.line()}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
