import { startSimulator } from '.';
import { helpText, parseArguments } from './options';

async function main() {
  const { help, options } = parseArguments(process.argv.slice(2));
  if (help) {
    console.log(helpText());
    return;
  }
  const simulator = await startSimulator(options);
  console.log(`Insights simulator listening on ${simulator.url}`);
  console.log(`  login ${options.login}, key ${options.key}, organization ${options.organization}`);

  const stop = () => void simulator.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
