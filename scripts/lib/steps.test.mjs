import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runAll } from './steps.mjs';

/** Steps that take a moment each, and a record of the order in which they start. */
function recorder() {
  const order = [];
  const step = (name, { after, failed = 0, ms = 5 } = {}) => ({
    name,
    after,
    run: async () => {
      order.push(name);
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { passed: 1 - failed, failed, output: '', seconds: 0 };
    },
  });
  return { order, step };
}

const ignore = () => undefined;

describe('running steps', () => {
  test('a step waits for those that it needs, and others overtake it', async () => {
    const { order, step } = recorder();
    await runAll([step('a', { ms: 30 }), step('b', { after: ['a'] }), step('c'), step('d')], ignore);
    assert.deepEqual(order, ['a', 'c', 'd', 'b']);
  });

  test('nothing that needs a failed step runs, and all else does', async () => {
    const { order, step } = recorder();
    const steps = [step('a', { failed: 1 }), step('b', { after: ['a'] }), step('c', { after: ['b'] }), step('d')];
    const results = await runAll([...steps, step('e', { after: ['d'] })], ignore);
    assert.deepEqual(order, ['a', 'd', 'e']);
    assert.deepEqual(
      results.map(({ failed }) => failed),
      [1, 0, 0, 1, 1]
    );
  });

  test('a step that throws is a failure with its message', async () => {
    const run = () => Promise.reject(new Error('no Go here'));
    const [result] = await runAll([{ name: 'a', run }], ignore);
    assert.deepEqual([result.failed, result.output], [1, 'no Go here']);
  });
});
