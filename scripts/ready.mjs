import { missingTools, parts } from './lib/setup.mjs';
import { run } from './lib/run.mjs';

async function make({ title, isNeeded, command }) {
  if (!isNeeded()) {
    return;
  }
  console.log(`${title}: ${command.join(' ')} …`);
  const { code, output, seconds } = await run(command);
  if (code !== 0) {
    throw new Error(`${output}\n${title} failed: ${command.join(' ')}`);
  }
  console.log(`${title}: done in ${seconds.toFixed(0)} s`);
}

/**
 * Installs and builds what is missing or older than its sources; throws an error that says what to do.
 *
 * @param {(typeof parts)[keyof typeof parts][]} [builds] what is needed beside the packages
 */
export async function ready(builds = [parts.frontEnd, parts.backEnd]) {
  const missing = await missingTools();
  if (missing) {
    throw new Error(missing);
  }
  await make(parts.packages);
  await Promise.all(builds.map(make));
}
