import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataSourceFor, startPlugin } from './support/plugin';
import { startService } from './support/simulator';

/** An invalid query, and what the response must name: the value, and what is allowed. */
const cases: Array<[query: Record<string, unknown>, ...says: RegExp[]]> = [
  [{ queryType: 'robots' }, /"robots"/, /tasks.*automations.*runners/],
  [{ days: 0 }, /days.*0/, /whole number/],
  [{ days: -3 }, /days.*-3/, /whole number/],
  [{ days: 1.5 }, /days.*1\.5/, /whole number/],
  [{ days: 'seven' }, /days.*seven/, /whole number/],
  [{ limit: 0 }, /limit.*0/, /whole number/],
  [{ limit: -1 }, /limit.*-1/],
  [{ limit: 2.5 }, /limit.*2\.5/],
  [{ sort: { field: 'colour', order: 'asc' } }, /"colour"/, /activityLabel/],
  [{ sort: { field: 'id', order: 'upwards' } }, /"upwards"/, /asc.*desc/],
  [{ queryType: 'runners', sort: { field: 'activityLabel', order: 'asc' } }, /"activityLabel"/, /_id/],
  [{ columns: ['id', 'colour'] }, /"colour"/, /activityLabel/],
  [{ format: 'pie' }, /"pie"/, /table.*timeseries.*numeric/],
  [{ timeField: 'dateDeleted' }, /"dateDeleted"/, /dateCreation/],
  [{ format: 'numeric', measure: 'happiness' }, /"happiness"/, /successRate/],
  [{ format: 'numeric', measure: 'tasks', groupBy: ['id'] }, /"id"/, /activityLabel/],
  [{ format: 'numeric', measure: 'tasks', groupBy: ['dateCreation'] }, /"dateCreation"/],
  [
    { queryType: 'automations', format: 'timeseries', measure: 'successRate' },
    /successRate of data set automations/,
    /savings/,
    /tasks|recording rule/,
  ],
  [
    { queryType: 'runners', format: 'timeseries', measure: 'utilizationRate' },
    /utilizationRate of data set runners/,
    /items/,
    /tasks|recording rule/,
  ],
  [{ filters: [{ key: 'colour', operator: '=', value: 'red' }] }, /"colour"/],
  [{ filters: [{ key: 'state', operator: '~~', value: 'x' }] }, /"~~"/, /=~/],
  [{ filters: [{ key: 'state', operator: '=~', value: '(' }] }, /"\("/],
];

describe('an invalid query', () => {
  const plugin = startPlugin();
  const service = startService({ tasksTotal: 20, automations: 2, runners: 2 });

  for (const [query, ...says] of cases) {
    test(`${JSON.stringify(query)} is a 400 that names it`, async () => {
      await service.reset();
      const answer = await plugin.ask(dataSourceFor(service.url), query);
      assert.equal(answer.status, 400);
      assert.equal(answer.errorSource, 'downstream');
      assert.deepEqual(answer.frames, []);
      for (const words of says) {
        assert.match(answer.error ?? '', words);
      }
      // Only the service knows which other fields exist; everything else is known in advance.
      if (!/colour|activityLabel/.test(JSON.stringify(query))) {
        assert.equal((await service.requests()).total, 0);
      }
    });
  }

  for (const [name, from, to] of [
    ['no length', 1_000, 1_000],
    ['its end before its start', 2_000, 1_000],
  ] as const) {
    test(`a time range with ${name} is a 400`, async () => {
      const answer = await plugin.ask(dataSourceFor(service.url), { queryType: 'tasks' }, { from, to });
      assert.equal(answer.status, 400);
      assert.match(answer.error ?? '', /range/i);
    });
  }
});
