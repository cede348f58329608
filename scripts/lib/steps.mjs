/**
 * A check, or a step that others need.
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} [after] names of steps that must have passed
 * @property {() => Promise<Result>} run
 *
 * @typedef {{ passed: number, failed: number, output: string, seconds: number }} Result
 */

const atOnce = 2;

async function outcome(step) {
  const started = Date.now();
  try {
    return await step.run();
  } catch (error) {
    return { passed: 0, failed: 1, output: String(error.message), seconds: (Date.now() - started) / 1000 };
  }
}

/**
 * Runs steps two at a time: the first one in the list for which everything has passed that it needs. Steps that need
 * one that failed don't run, and count as failures.
 *
 * @param {Step[]} steps
 * @param {(name: string, result: Result) => void} report called when each step ends
 * @returns {Promise<Result[]>}
 */
export async function runAll(steps, report) {
  const waiting = [...steps];
  const running = new Set();
  const results = new Map();
  const end = (name, result) => {
    results.set(name, result);
    report(name, result);
  };
  const isReady = ({ after = [] }) => after.every((name) => results.get(name)?.failed === 0);
  const start = (step) => {
    const ended = outcome(step).then((result) => {
      running.delete(ended);
      end(step.name, result);
    });
    running.add(ended);
  };

  for (;;) {
    for (let next = waiting.findIndex(isReady); next >= 0 && running.size < atOnce; next = waiting.findIndex(isReady)) {
      start(...waiting.splice(next, 1));
    }
    if (running.size === 0) {
      break;
    }
    await Promise.race(running);
  }
  for (const { name } of waiting) {
    end(name, { passed: 0, failed: 1, output: 'not run: a step that it needs failed', seconds: 0 });
  }
  return [...results.values()];
}
