import { reasons, sensitivities } from '../../schema/attention';
import type { Random } from '../../simulator/random';
import { dataSets, getDataSet, groupableFields, measures, namedFields } from '../../schema/datasets';
import { type SettingName, settings } from '../../schema/settings';
import { comparisons, operators, units } from '../../src/query/query';
import type { TabName } from '../../workbench/page/link';

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random.unit() * items.length)];
}

type Parts = Record<string, () => unknown>;

/** Some of the parts. */
function some(random: Random, parts: Parts, chance = 0.3): Record<string, unknown> {
  const chosen = Object.entries(parts).filter(() => random.chance(chance));
  return Object.fromEntries(chosen.map(([name, value]) => [name, value()]));
}

/** Values that no control offers, but that somebody wrote by hand, or that another version saved. */
const odd = ['${anything}', 'fieldOfTomorrow', '', ' padded ', 7, true, null, ['a', 'b'], { a: 1 }];

const formats = ['table', 'numeric', 'timeseries', 'timeline', 'attention', 'deadlines'];

/** A saved query for the editor of a tab, such as a dashboard contains it: complete, partial, by hand, and wrong. */
export function randomQuery(random: Random, tab: TabName): Record<string, unknown> {
  const set = getDataSet(pick(random, dataSets).name);
  const orOdd = (value: () => unknown) => () => (random.chance(0.07) ? pick(random, odd) : value());
  const names = (list: Array<{ name: string }>) => list.map(({ name }) => name);
  const field = () => pick(random, names(namedFields(set)));
  const several = (list: string[]) => [...new Set([pick(random, list), pick(random, list), pick(random, list)])];
  const queryType = () => set.name;
  const days = () => pick<unknown>(random, [1, 7, 400, '30']);
  const search = () => pick(random, ['invoices', '${automation}', 'runner-01']);
  const filters = () => Array.from({ length: 1 + Math.floor(random.between(0, 2)) }, () => randomFilter(random, field));

  if (tab === 'Variable') {
    const groupable = () => pick(random, names(groupableFields(set)));
    return some(random, parts({ queryType, field: groupable, search, days, filters }, orOdd), 0.6);
  }
  const timeField = () => pick(random, ['dateCreation', 'dateStartRunning', 'dateLastModified']);
  if (tab === 'Annotation') {
    return { queryType: 'tasks', ...some(random, parts({ search, filters, timeField }, orOdd), 0.6) };
  }
  const format = pick(random, [...formats, undefined, '${format}']);
  const measure = () => pick(random, names(measures(set)));
  const needsMeasure = format === 'numeric' || format === 'timeseries';
  const fitting = { queryType, ...(format && { format: () => format }), ...(needsMeasure && { measure }) };
  return {
    ...some(random, parts(fitting, orOdd), 0.95),
    ...some(
      random,
      parts(
        {
          ...{ days, search, filters, timeField, measure },
          columns: () => several(names(namedFields(set))),
          groupBy: () => several(names(groupableFields(set))),
          sort: () => ({ field: field(), order: pick(random, ['asc', 'desc']) }),
          limit: () => pick<unknown>(random, [1, 10, '5']),
          compare: () => pick(random, [...comparisons, '${compare}']),
          per: () => pick(random, [...units, '${per}']),
          state: () => pick(random, names(groupableFields(set))),
          timezone: () => pick(random, ['Europe/Berlin', 'utc', '${tz}']),
          attention: () => randomAttention(random),
          hide: () => false,
        },
        orOdd
      ),
      0.22
    ),
  };
}

function parts(plain: Parts, wrap: (value: () => unknown) => () => unknown): Parts {
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, wrap(value)]));
}

/** What is judged. */
function randomAttention(random: Random): object {
  const off = () => pick<unknown>(random, [0, 0, 0, 0, 0, 0, '${off}', '0', 2]);
  return {
    ...some(random, {
      sensitivity: () => pick(random, [...sensitivities.map(({ name }) => name), '${sensitivity}', 'nervous']),
      ignore: () => pick<unknown>(random, [['invoices'], ['${automation}', 'payroll'], 'invoices', []]),
      levelOfTomorrow: () => (random.chance(0.3) ? 3 : undefined),
    }),
    ...some(random, Object.fromEntries(reasons.map(({ name }) => [name, off])), 0.2),
  };
}

function randomFilter(random: Random, field: () => string): object {
  const operator = pick(random, operators);
  const value = () => pick(random, ['FAILED', 'runner-01', '0', '', '${automation}']);
  const isSeveral = operator === '=|' || operator === '!=|';
  const operands = isSeveral ? { values: [...new Set([value(), value()])] } : { value: value() };
  return { key: random.chance(0.1) ? 'fieldOfTomorrow' : field(), operator, ...(random.chance(0.9) && operands) };
}

/** Saved settings, such as a provisioning file contains them: as described, by hand, and wrong. */
export function randomSettings(random: Random): Record<string, unknown> {
  const texts = ['demo', 12345, true, ['demo'], ' demo ', 'BRL', 'https://orchestrator.example.com/tasks/${id}'];
  const valuesOf = ({ type, values }: (typeof settings)[SettingName]): unknown[] =>
    type === 'number'
      ? [1, 30, 0, '45', '60.0', 'many', -1]
      : type === 'boolean'
        ? [true, false, 'false', 'true', '']
        : [...(values ?? texts), 'klingon'];
  const described = Object.entries(settings).map(([name, setting]) => [name, () => pick(random, valuesOf(setting))]);
  return some(
    random,
    {
      ...Object.fromEntries(described),
      requestsPerSecond: () => pick<unknown>(random, [0, '50', 'many', -1]), // A few would only take time.
      httpHeaderName1: () => pick(random, ['X-Tenant', 'not a name', '']),
      tlsAuth: () => true,
      serverName: () => 'insights.example.com',
      tlsSkipVerify: () => pick<unknown>(random, [true, 'true']),
    },
    0.25
  );
}
