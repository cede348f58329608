import { runAll } from './lib/steps.mjs';
import { steps } from './lib/test-steps.mjs';

const shownLines = 200;

function report(name, { passed, failed, output, seconds }) {
  const numbers = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}`;
  console.log(`${failed > 0 ? 'FAILED' : 'ok    '}  ${name.padEnd(26)} ${numbers} (${seconds.toFixed(0)} s)`);
  if (failed > 0) {
    console.log(output.trimEnd().split('\n').slice(-shownLines).join('\n'));
  }
}

const results = await runAll(steps, report);
const sum = (of) => results.reduce((total, result) => total + of(result), 0);
const failed = sum((result) => result.failed);
console.log(`${sum((result) => result.passed)} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
