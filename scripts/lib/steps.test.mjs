import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runAll } from './steps.mjs';

/** Steps that take a moment each, and a record of when they run. */
function recorder() {
  const recorded = { order: [], most: 0 };
  let running = 0;
  const step = (name, { after, failed = 0, ms = 5 } = {}) => ({
    name,
    after,
    run: async () => {
      recorded.order.push(name);
      recorded.most = Math.max(recorded.most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, ms));
      running -= 1;
      return { passed: 1 - failed, failed, output: '', seconds: 0 };
    },
  });
  return { recorded, step };
}

const ignore = () => undefined;

describe('running steps', () => {
  test('two at a time, in their order', async () => {
    const { recorded, step } = recorder();
    const results = await runAll(
      ['a', 'b', 'c', 'd'].map((name) => step(name)),
      ignore
    );
    assert.equal(recorded.most, 2);
    assert.deepEqual(recorded.order, ['a', 'b', 'c', 'd']);
    assert.equal(results.length, 4);
  });

  test('a step waits for those that it needs, and others overtake it', async () => {
    const { recorded, step } = recorder();
    await runAll([step('a', { ms: 30 }), step('b', { after: ['a'] }), step('c'), step('d')], ignore);
    assert.deepEqual(recorded.order, ['a', 'c', 'd', 'b']);
  });

  test('nothing that needs a failed step runs, and all else does', async () => {
    const { recorded, step } = recorder();
    const steps = [step('a', { failed: 1 }), step('b', { after: ['a'] }), step('c', { after: ['b'] }), step('d')];
    const results = await runAll([...steps, step('e', { after: ['d'] })], ignore);
    assert.deepEqual(recorded.order, ['a', 'd', 'e']);
    assert.deepEqual(
      results.map(({ failed }) => failed),
      [1, 0, 0, 1, 1]
    );
  });

  test('a step that needs one that does not exist is a failure', async () => {
    const { step } = recorder();
    const [result] = await runAll([step('a', { after: ['b'] })], ignore);
    assert.equal(result.failed, 1);
  });

  test('a step that throws is a failure with its message', async () => {
    const run = () => Promise.reject(new Error('no Go here'));
    const [result] = await runAll([{ name: 'a', run }], ignore);
    assert.deepEqual([result.failed, result.output], [1, 'no Go here']);
  });
});
