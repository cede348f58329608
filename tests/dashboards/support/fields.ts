import type { Link, Panel, Query } from '../../../dashboards/parts';
import schema from '../../../schema/attention.json';
import { fieldNames, getDataSet } from '../../../schema/datasets';

/** The fields of the frame that a query returns. That the query is valid, tests/grpc/saved.test.ts checks. */
export function answeredFields(query: Query): string[] {
  if ('expr' in query) {
    return [`Value #${query.refId}`, 'organizationLabel', 'activityLabel']; // Prometheus
  }
  const { queryType, format, groupBy = [], measure = '', measures = [measure], compare, columns } = query;
  switch (format) {
    case 'numeric':
      return [...groupBy, ...measures, ...(compare ? ['before', 'change', 'time'] : []), 'noAnswer'];
    case 'timeseries':
      return ['time', ...measures];
    case 'attention':
      return [
        ...groupBy,
        ...'needsAttention activityLabel why severity state since machineId id tasks noAnswer'.split(' '),
      ];
    case 'deadlines':
      return ['activityLabel', ...schema.dueFields.map(({ name }) => name), 'machineId', 'id'];
    default:
      return columns ?? fieldNames(getDataSet(queryType));
  }
}

/** Fields to which a panel refers outside of its queries: in overrides, reductions, transformations, and links. */
export function namedFields(panel: Panel): string[] {
  return [
    ...overridesOf(panel, 'byName').map(({ matcher }) => String(matcher.options)),
    ...valuesOf(panel.options, 'fields').flatMap((fields) => /^\/\^(\w+)\$\/$/.exec(String(fields))?.[1] ?? []),
    ...['include', 'byField', 'rowField', 'columnField', 'names']
      .flatMap((key) => valuesOf(panel.transformations, key).flat())
      .filter((name) => typeof name === 'string'),
    ...[...JSON.stringify(panel).matchAll(/__data\.fields\.(\w+)/g)].map(([, name]) => name),
  ];
}

/** Fields that a panel's transformations create: calculations, new names, and the corner of a matrix. */
export function madeFields({ targets = [], transformations = [] }: Panel): string[] {
  const corners = transformations
    .filter(({ id }) => id === 'groupingToMatrix')
    .map(({ options }) => options as { rowField: string; columnField: string })
    .map(({ rowField, columnField }) => `${rowField}\\${columnField}`);
  const names = ['alias', 'renamePattern'].flatMap((key) => valuesOf(transformations, key));
  // What Grafana calls the columns of reduced series, in every language.
  const reduced = transformations.some(({ id }) => id === 'reduce') ? ['Field', 'First', 'Last', 'Difference'] : [];
  const made = [...names.map(String), ...corners, ...reduced];
  return [...made, ...products(transformations, [...targets.flatMap(answeredFields), ...made])];
}

/** What a calculation with all numbers makes of each. */
function products(transformations: NonNullable<Panel['transformations']>, fields: string[]): string[] {
  const binaries = valuesOf(transformations, 'binary') as Array<Record<'left' | 'right', { matcher: Matcher }>>;
  return binaries
    .filter(({ left }) => left.matcher?.id === 'byType')
    .flatMap(({ right }) => fields.map((name) => `${name} * ${right.matcher.options}`));
}

interface Matcher {
  id: string;
  options: string;
}

/** The operands of calculations, which Grafana finds by their displayed names only. */
export function operands({ transformations }: Panel): string[] {
  const matchers = valuesOf(transformations, 'matcher') as Matcher[];
  const named = matchers.filter(({ id }) => id === 'byName').map(({ options }) => options);
  return [...named, ...valuesOf(transformations, 'valueField').map(String)];
}

/** Links in a panel, on its values and in its cells. */
export function linksOf({ fieldConfig }: Panel): Link[] {
  const ofCells = (fieldConfig?.overrides ?? []).flatMap(({ properties }) => properties);
  return [
    ...valuesOf(fieldConfig?.defaults, 'links').flat(),
    ...ofCells.filter(({ id }) => id === 'links').flatMap(({ value }) => value),
  ] as Link[];
}

/** The overrides of a panel that find fields in one way. */
export function overridesOf({ fieldConfig }: Panel, matcher: string) {
  return (fieldConfig?.overrides ?? []).filter((override) => override.matcher.id === matcher);
}

/** Every value of a key, at any depth. */
export function valuesOf(node: unknown, key: string): unknown[] {
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  return Object.entries(node).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(value, key)]);
}
