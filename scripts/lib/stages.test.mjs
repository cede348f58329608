import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runAll } from './stages.mjs';

/** Steps that take a moment each, and a record of when they run. */
function recorder() {
  const recorded = { order: [], most: 0 };
  let running = 0;
  const step = (name, failed = 0) => ({
    name,
    run: async () => {
      recorded.order.push(name);
      recorded.most = Math.max(recorded.most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return { passed: 1 - failed, failed, output: '', seconds: 0 };
    },
  });
  return { recorded, step };
}

const ignore = () => undefined;

describe('running stages', () => {
  test('runs two steps at a time, and stages one after the other', async () => {
    const { recorded, step } = recorder();
    const results = await runAll([{ steps: [step('a'), step('b'), step('c')] }, { steps: [step('d')] }], ignore);
    assert.equal(recorded.most, 2);
    assert.deepEqual(recorded.order, ['a', 'b', 'c', 'd']);
    assert.equal(results.length, 4);
  });

  test('runs nothing after a needed stage that failed', async () => {
    const { recorded, step } = recorder();
    const needed = { steps: [step('a', 1), step('b')], isNeeded: true };
    const results = await runAll([needed, { steps: [step('c')] }, { steps: [step('d')] }], ignore);
    assert.deepEqual(recorded.order, ['a', 'b']);
    assert.deepEqual(
      results.map(({ failed }) => failed),
      [1, 0, 1, 1]
    );
  });

  test('runs the other checks if one fails', async () => {
    const { recorded, step } = recorder();
    await runAll([{ steps: [step('a', 1), step('b')] }, { steps: [step('c')] }], ignore);
    assert.deepEqual(recorded.order, ['a', 'b', 'c']);
  });

  test('a step that throws is a failure with its message', async () => {
    const run = () => Promise.reject(new Error('no Go here'));
    const [result] = await runAll([{ steps: [{ name: 'a', run }] }], ignore);
    assert.deepEqual([result.failed, result.output], [1, 'no Go here']);
  });
});
