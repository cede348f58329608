/**
 * A check, or a step that others need.
 *
 * @typedef {object} Step
 * @property {string} name
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

/** Runs the steps of a stage in order, two at a time. */
async function runStage(steps, report) {
  const waiting = [...steps];
  const results = [];
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const result = await outcome(step);
      report(step.name, result);
      results.push(result);
    }
  };
  await Promise.all([lane(), lane()]);
  return results;
}

/**
 * Runs stages one after the other. Later stages need the results of those marked `isNeeded`: if one of these fails, the
 * steps of later stages don't run and count as one failure each.
 *
 * @param {{ steps: Step[], isNeeded?: boolean }[]} stages
 * @param {(name: string, result: Result) => void} report called when each step ends
 * @returns {Promise<Result[]>}
 */
export async function runAll(stages, report) {
  const results = [];
  let broken = false;
  for (const { steps, isNeeded } of stages) {
    const ended = broken ? skip(steps, report) : await runStage(steps, report);
    results.push(...ended);
    broken ||= Boolean(isNeeded) && ended.some(({ failed }) => failed > 0);
  }
  return results;
}

function skip(steps, report) {
  return steps.map(({ name }) => {
    const result = { passed: 0, failed: 1, output: 'not run: a step that it needs failed', seconds: 0 };
    report(name, result);
    return result;
  });
}
