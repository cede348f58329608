import { helpText, parseArguments } from './arguments';
import { startSimulator } from './index';
import { resolveOptions } from './options';

/** Port of the command line, so that an address can be written down once. In-process use takes any free one. */
const USUAL_PORT = 4010;

async function main() {
  const { help, exitWithParent, options } = parseArguments(process.argv.slice(2));
  if (help) {
    console.log(helpText());
    return;
  }
  const { login, key, organization, port } = resolveOptions({ port: USUAL_PORT, ...options });
  const simulator = await startSimulator({ ...options, port });
  console.log(`Insights simulator listening on ${simulator.url}`);
  console.log(`  login ${login}, key ${key}, organization ${organization}`);

  const stop = () => void simulator.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (exitWithParent) {
    // Both: a pipe ends, a broken one only closes.
    process.stdin.once('end', stop).once('close', stop).resume();
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
