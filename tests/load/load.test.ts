import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Run } from '../../workbench/load/run';
import { measure, rowsOf } from '../../workbench/load/scale';

test('the built backend under load answers what the service has listed', { timeout: 400_000 }, async () => {
  const lines: string[] = [];
  const { faults, answers } = await Run.start(0.5, 1, (line) => lines.push(line));
  assert.deepEqual(faults, [], lines.join('\n'));
  assert.ok(answers.exact >= 10 * 4 + 8, 'each panel at least once'); // in the end, if the machine is too slow before
  assert.ok(answers.excused > 0, lines.join('\n'));
});

test('the cost of many data sources', { timeout: 400_000 }, async () => {
  const scale = { dataSources: 3, tasks: 5_000, rounds: 2, every: 3_000 };
  const cost = await measure(scale);
  assert.equal(cost.first.requests, 13, 'ten pages, the empty one behind them, and two for since when there are tasks');
  assert.equal(cost.refresh.requests, 3, 'page 0, the last one, and page 0 again');
  assert.ok(cost.steady.requests >= 3 * 3 * 20, `${cost.steady.requests} requests a minute`);
  assert.ok(cost.first.processor > 0 && cost.memory > 0 && cost.peak >= cost.memory / 2, JSON.stringify(cost));
  assert.deepEqual(cost.warnings, []);
  assert.equal(rowsOf(scale, cost).length, 8);
});
