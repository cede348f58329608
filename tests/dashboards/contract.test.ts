import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answeredFields, misplaced, problemsOf } from './support/contract';
import { variablesIn } from './support/files';
import type { Panel, Query } from './support/types';

// A checker that finds nothing would accept every dashboard.
const faulty: Array<[query: Query, problem: RegExp]> = [
  [{ queryType: 'robots' }, /robots/],
  [{ colour: 'red' }, /colour is not a property/],
  [{ format: 'pie', measure: 'tasks' }, /pie/],
  [{ days: 0 }, /days is 0/],
  [{ limit: 1.5 }, /limit is 1\.5/],
  [{ columns: ['label'] }, /columns has label/],
  [{ measure: 'tasks' }, /measure is only for numbers and lines/],
  [{ format: 'timeline', measure: 'tasks' }, /measure is only for numbers and lines/],
  [{ format: 'timeline', state: 'id' }, /state has id/],
  [{ format: 'table', state: 'state' }, /state is only for timelines/],
  [{ queryType: 'runners', format: 'timeline' }, /format has timeline/],
  [{ format: 'numeric' }, /measure is missing/],
  [{ format: 'numeric', measure: 'roi' }, /measure has roi/],
  [{ format: 'numeric', measure: 'tasks', groupBy: ['id'] }, /groupBy has id/],
  [{ format: 'numeric', measure: 'tasks', columns: ['id'] }, /columns is only for tables/],
  [{ format: 'numeric', measure: 'tasks', sort: { field: 'id', order: 'asc' } }, /sort has id/],
  [{ queryType: 'runners', format: 'timeseries', measure: 'utilizationRate' }, /utilizationRate/],
  [{ queryType: 'runners', timeField: 'dateCreation' }, /timeField/],
  [{ sort: { field: 'state', order: 'up' } }, /order up/],
  [{ filters: [{ key: 'label', operator: '=', value: 'x' }] }, /unknown field label/],
  [{ filters: [{ key: 'state', operator: '~', value: 'x' }] }, /unknown operator ~/],
  [{ filters: [{ key: 'state', operator: '=', values: ['x'] }] }, /wrong kind of value/],
  [{ filters: [{ key: 'state', operator: '=|', value: 'x' }] }, /wrong kind of value/],
  [{ filters: [{ key: 'state', operator: '=', value: 'x', condition: 'AND' }] }, /condition/],
  [{ filters: [{ key: 'failedItems', operator: '>', value: 'many' }] }, /number failedItems/],
  [{ filters: [{ key: 'queueTime', operator: '>', value: 'long' }] }, /number queueTime/],
  [{ compare: 'week' }, /compare is only for numbers and lines/],
  [{ format: 'numeric', measure: 'tasks', compare: 'decade' }, /compare has decade/],
  [{ format: 'numeric', measure: 'tasks', per: 'day' }, /per is only for lines/],
  [{ format: 'timeseries', measure: 'tasks', per: 'second' }, /per has second/],
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
  assert.deepEqual(problemsOf({ format: 'timeline', groupBy: ['machineId'], state: 'finishStatus' }), []);
  assert.deepEqual(
    problemsOf({
      queryType: 'automations',
      format: 'timeseries',
      measure: 'savings',
      per: '${per}',
      compare: 'previous',
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
