import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reasons, sensitivities } from '../../schema/attention';
import { dataSets, type Field, getDataSet, groupableFields, namedFields } from '../../schema/datasets';
import { Random } from '../../simulator/random';
import {
  changeDataSet,
  changeFormat,
  changeParts,
  comparisonsFor,
  formatsFor,
  groupNames,
  groupsFor,
  isLineOfSums,
  isOffered,
  measuresFor,
} from '../../src/query/fit';
import { type Part } from '../../src/query/parts';
import { type Filter, type InsightsQuery, isMultiValue, operators, units, withOperands } from '../../src/query/query';
import { pick } from '../workbench/saved';
import { dataSourceFor, startPlugin } from './support/plugin';
import { startService } from './support/service';

type Choice = Partial<InsightsQuery>;

/** A value that fits a field. An hour is compared as a number. */
const valueOf = ({ name, type }: Field) => (name !== 'hour' && { string: 'a', time: 'now-6h' }[type as string]) || '12';

/** What needs attention has one group. The editor adds automations to a team. */
const judged = (name: string) => (name === 'team' ? ['activityLabel', name] : [name]);

/** What the controls of each part offer for a query. */
const offers: Partial<Record<Part, (query: InsightsQuery) => Choice[]>> = {
  columns: ({ queryType }) => namedFields(getDataSet(queryType)).map(({ name }) => ({ columns: [name] })),
  measure: ({ queryType, format }) => measuresFor(getDataSet(queryType), format).map(({ name }) => ({ measure: name })),
  groupBy: ({ queryType, format, groupBy = [] }) =>
    groupsFor(getDataSet(queryType), format).map(({ name }) => ({
      groupBy: format === 'attention' ? judged(name) : [...groupBy.filter((other) => other !== name), name],
    })),
  state: ({ queryType }) => groupableFields(getDataSet(queryType)).map(({ name }) => ({ state: name })),
  per: (query) => units.filter((unit) => unit !== 'hour' || !isLineOfSums(query)).map((per) => ({ per })),
  compare: (query) => comparisonsFor(query).map((compare) => ({ compare })),
  timeField: ({ queryType }) => (getDataSet(queryType).timeFields ?? []).map((timeField) => ({ timeField })),
  days: () => [{ days: 1 }, { days: 30 }],
  limit: () => [{ limit: 1 }, { limit: 500 }],
  search: () => [{ search: 'a' }],
  sort: (query) => {
    const { queryType, format } = query;
    const isTable = format === undefined;
    const fields = isTable ? namedFields(getDataSet(queryType)).map(({ name }) => name) : groupNames(query);
    return fields.flatMap((field) => [{ sort: { field, order: 'asc' } }, { sort: { field, order: 'desc' } }]);
  },
  attention: () => [
    ...sensitivities.map(({ name }) => ({ attention: { sensitivity: name } })),
    ...reasons.map(({ name }) => ({ attention: { [name]: 0 } })),
    { attention: { ignore: ['payroll'] } },
  ],
  filters: ({ queryType }) =>
    namedFields(getDataSet(queryType)).flatMap((field) =>
      operators.map((operator) => {
        const values = isMultiValue(operator) ? [valueOf(field), ''] : [valueOf(field)];
        return { filters: [withOperands({ key: field.name, operator } as Filter, values)] };
      })
    ),
};

/** All that one change in the editor can make of a query. */
function changes(query: InsightsQuery): InsightsQuery[] {
  const choices = Object.entries(offers).flatMap(([part, offer]) =>
    isOffered(query, part as Part) ? offer(query) : []
  );
  return choices.map((choice) => changeParts(query, choice).query);
}

describe('the backend accepts whatever the editor offers', () => {
  const plugin = startPlugin();
  const service = startService({ tasksPerDay: 20, historyDays: 40 });

  async function refused(queries: InsightsQuery[]): Promise<string[]> {
    const dataSource = dataSourceFor(service.url);
    const found: string[] = [];
    for (let at = 0; at < queries.length; at += 20) {
      const asked = queries.slice(at, at + 20);
      const results = await plugin.askAll(dataSource, asked as unknown as Array<Record<string, unknown>>);
      found.push(...results.flatMap(({ error }, i) => (error ? `${error}: ${JSON.stringify(asked[i])}` : [])));
    }
    return found;
  }

  for (const { name } of dataSets) {
    for (const format of formatsFor(getDataSet(name))) {
      const start = changeFormat(changeDataSet({ refId: 'A' }, name).query, format).query;

      test(`one change of ${name} as ${format}`, async () => {
        const queries = [start, ...changes(start)];
        assert.ok(queries.length > 10);
        assert.deepEqual(await refused(queries), []);
      });

      test(`several changes of ${name} as ${format}`, async () => {
        const random = new Random(1, name, format);
        const queries = Array.from({ length: 40 }, () => {
          let query = start;
          for (let steps = pick(random, [2, 3, 4, 5]); steps > 0; steps -= 1) {
            query = pick(random, changes(query));
          }
          return query;
        });
        assert.deepEqual(await refused(queries), []);
      });
    }
  }
});
