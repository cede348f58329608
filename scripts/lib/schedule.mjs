/**
 * One thing to do, and what has to be done before it.
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} [after] names of steps that it needs
 * @property {() => Promise<Result>} run
 *
 * @typedef {{ passed: number, failed: number, output: string, seconds: number }} Result
 */

async function outcome(step) {
  const started = Date.now();
  try {
    return await step.run();
  } catch (error) {
    return { passed: 0, failed: 1, output: String(error.message), seconds: (Date.now() - started) / 1000 };
  }
}

/**
 * Runs steps, two at a time where they allow it, in their order otherwise. A step whose need failed is not run and
 * counts as a failure; all others run, whatever became of the rest.
 *
 * @param {Step[]} steps
 * @param {(name: string, result: Result) => void} report called as each step ends
 * @returns {Promise<Map<string, Result>>}
 */
export async function runAll(steps, report, atOnce = 2) {
  const results = new Map();
  const waiting = [...steps];
  const running = new Map();

  const end = (name, result) => {
    results.set(name, result);
    report(name, result);
  };
  const isOver = (name) => results.has(name) || !steps.some((step) => step.name === name);

  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.find(({ after = [] }) => after.every(isOver));
    if (next && running.size < atOnce) {
      waiting.splice(waiting.indexOf(next), 1);
      const broken = (next.after ?? []).find((name) => results.get(name)?.failed > 0);
      if (broken) {
        end(next.name, { passed: 0, failed: 1, output: `not run: it needs "${broken}"`, seconds: 0 });
        continue;
      }
      const done = outcome(next).then((result) => {
        running.delete(next.name);
        end(next.name, result);
      });
      running.set(next.name, done);
    } else {
      await Promise.race(running.values());
    }
  }
  return results;
}
