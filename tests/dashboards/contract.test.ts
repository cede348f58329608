import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answeredFields, misplaced, problemsOf } from './support/contract';
import { variablesIn } from './support/files';
import type { Panel } from '../../dashboards/parts';
import type { Query } from './support/types';

// A checker that finds nothing would accept every dashboard.
const faulty: Array<[query: Query, problem: RegExp]> = [
  [{ queryType: 'robots' }, /robots/],
  [{ colour: 'red' }, /colour is "red"/],
  [{ format: 'pie', measure: 'tasks' }, /pie/],
  [{ days: 0 }, /days is 0/],
  [{ limit: 1.5 }, /limit is 1.5/],
  [{ columns: ['label'] }, /columns has label/],
  [{ measure: 'tasks' }, /measure has tasks/],
  [{ format: 'numeric' }, /measure is missing/],
  [{ format: 'numeric', measure: 'tasks', groupBy: ['id'] }, /groupBy has id/],
  [{ format: 'numeric', measure: 'tasks', sort: { field: 'id', order: 'asc' } }, /sort has id/],
  [{ queryType: 'runners', format: 'timeseries', measure: 'utilizationRate' }, /utilizationRate/],
  [{ filters: [{ operator: '=', value: 'x' }] }, /filters is/],
  [{ filters: [{ key: 'label', operator: '=', value: 'x' }] }, /filters has label/],
  [{ filters: [{ key: 'state', operator: '~', value: 'x' }] }, /filters is/],
  [{ format: 'timeseries', measure: 'tasks', per: 'second' }, /per is "second"/],
  [{ format: 'numeric', measure: 'tasks', compare: 'second' }, /compare is "second"/],
];

for (const [query, problem] of faulty) {
  test(`the checker finds the error in ${JSON.stringify(query)}`, () => {
    assert.match(problemsOf(query).join('\n'), problem);
  });
}

test('the checker accepts a query of each format', () => {
  const filters = [{ key: 'machineId', operator: '=|', values: ['${machine}'] }];
  assert.deepEqual(
    problemsOf({ refId: 'A', columns: ['id', 'state'], sort: { field: 'id', order: 'desc' }, filters }),
    []
  );
  const sort = { field: 'successRate', order: 'asc' };
  const rate: Query = { queryType: 'automations', format: 'numeric', measure: 'successRate', groupBy: ['label'], sort };
  assert.deepEqual(problemsOf(rate), []);
  assert.deepEqual(answeredFields(rate), ['label', 'successRate']);
  assert.deepEqual(problemsOf({ format: 'timeseries', measure: 'duration', timeField: 'dateStartRunning' }), []);
  assert.deepEqual(
    problemsOf({
      queryType: 'automations',
      format: 'timeseries',
      measure: 'savings',
      per: '${per}',
      compare: '${compare}',
    }),
    []
  );
  const long = { key: 'queueTime', operator: '>=', value: '${wait}' };
  assert.deepEqual(
    problemsOf({ columns: ['duration'], sort: { field: 'duration', order: 'desc' }, filters: [long] }),
    []
  );
  assert.deepEqual(problemsOf({ format: 'numeric', measure: 'tasks', groupBy: ['weekday', 'hour'] }), []);
});

test("variables are found in each notation, except for Grafana's own", () => {
  assert.deepEqual(variablesIn({ a: ['$one', '${two:pipe}', '[[three]]', '${__data.fields.x}', '$__all'] }), [
    'one',
    'two',
    'three',
  ]);
});

test('panels that overlap or exceed the grid are found', () => {
  const panel = (title: string, x: number, y: number, w: number): Panel => ({
    id: 1,
    type: 'stat',
    title,
    gridPos: { x, y, w, h: 4 },
  });
  assert.deepEqual(misplaced([panel('a', 0, 0, 12), panel('b', 12, 0, 12), panel('c', 0, 4, 24)]), []);
  assert.deepEqual(misplaced([panel('a', 0, 0, 12), panel('b', 11, 3, 4), panel('c', 20, 8, 6)]), ['c', 'a and b']);
});
