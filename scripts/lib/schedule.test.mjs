import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runAll } from './schedule.mjs';

/** Steps that take a moment each, and what is seen of them while they run. */
function recorder() {
  const recorded = { order: [], most: 0 };
  let running = 0;
  const step = (name, after = [], failed = 0) => ({
    name,
    after,
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

describe('running steps', () => {
  test('two at a time, each after what it needs', async () => {
    const { recorded, step } = recorder();
    await runAll([step('a'), step('b', ['a']), step('c'), step('d', ['b', 'c'])], ignore);
    assert.equal(recorded.most, 2);
    assert.equal(recorded.order.at(0), 'a');
    assert.ok(recorded.order.indexOf('b') > recorded.order.indexOf('a'));
    assert.equal(recorded.order.at(-1), 'd');
  });

  test('a failure stops those that need it, and nobody else', async () => {
    const { recorded, step } = recorder();
    const results = await runAll([step('a', [], 1), step('b', ['a']), step('c', ['b']), step('d')], ignore);
    assert.deepEqual(recorded.order.sort(), ['a', 'd']);
    assert.deepEqual([...results.values()].map(({ failed }) => failed).sort(), [0, 1, 1, 1]);
  });

  test('a step that throws is a failure that says why', async () => {
    const run = () => Promise.reject(new Error('no Go here'));
    const results = await runAll([{ name: 'a', run }], ignore);
    assert.deepEqual([results.get('a')?.failed, results.get('a')?.output], [1, 'no Go here']);
  });
});
