import type { Link, Panel } from './types';

/** Fields to which a panel refers outside of its queries: in overrides, reductions, transformations, and links. */
export function namedFields(panel: Panel): string[] {
  return [
    ...overridden(panel),
    ...reduced(panel),
    ...transformed(panel),
    ...[...JSON.stringify(panel).matchAll(/__data\.fields\.(\w+)/g)].map(([, name]) => name),
  ];
}

/** What Grafana calls the columns of reduced series, in every language. */
const reducerNames: Record<string, string> = { first: 'First', last: 'Last' };

/** Fields that a panel's transformations create: calculations, new names, reductions, and the corner of a matrix. */
export function madeFields({ transformations = [] }: Panel): string[] {
  const corners = transformations
    .filter(({ id }) => id === 'groupingToMatrix')
    .map(({ options }) => options as { rowField: string; columnField: string })
    .map(({ rowField, columnField }) => `${rowField}\\${columnField}`);
  const names = valuesOf(transformations, 'renameByName').flatMap((renamed) => Object.values(renamed as object));
  const reduced = valuesOf(transformations, 'reducers').flatMap((reducers) =>
    (reducers as string[]).flatMap((reducer) => reducerNames[reducer] ?? [])
  );
  const patterns = valuesOf(transformations, 'renamePattern');
  return [...valuesOf(transformations, 'alias'), ...names, ...patterns, ...corners, ...reduced].map(String);
}

/** Links in a panel, on its values and in its cells. */
export function linksOf({ fieldConfig }: Panel): Link[] {
  return valuesOf(fieldConfig, 'links')
    .flat()
    .concat(
      (fieldConfig?.overrides ?? [])
        .flatMap(({ properties }) => properties)
        .filter(({ id }) => id === 'links')
        .flatMap(({ value }) => value)
    ) as Link[];
}

/** Queries to which a panel refers, by their refId. */
export function namedQueries({ fieldConfig, transformations = [] }: Panel): string[] {
  return [
    ...(fieldConfig?.overrides ?? [])
      .filter(({ matcher }) => matcher.id === 'byFrameRefID')
      .map(({ matcher }) => String(matcher.options)),
    ...valuesOf(transformations, 'configRefId').map(String),
  ];
}

/** Tables sort columns by their displayed names. */
export function sortedColumns({ options }: Panel): string[] {
  return (options?.sortBy ?? []).map(({ displayName }) => displayName);
}

/** Displayed names that overrides set. */
export function displayNames({ fieldConfig }: Panel): string[] {
  return (fieldConfig?.overrides ?? [])
    .flatMap(({ properties }) => properties)
    .filter(({ id }) => id === 'displayName')
    .map(({ value }) => String(value));
}

function overridden({ fieldConfig }: Panel): string[] {
  return (fieldConfig?.overrides ?? [])
    .filter(({ matcher }) => matcher.id === 'byName')
    .map(({ matcher }) => String(matcher.options));
}

function reduced({ options }: Panel): string[] {
  const fields = options?.reduceOptions?.fields;
  // Grafana accepts a name or a regular expression; the dashboards only use /^name$/.
  return fields ? [fields.replace(/^\/\^(\w+)\$\/$/, '$1')] : [];
}

function transformed({ transformations = [] }: Panel): string[] {
  return [
    ...valuesOf(transformations, 'fieldName').map(String),
    ...valuesOf(transformations, 'applyTo').map((applyTo) => String((applyTo as { options: unknown }).options)),
  ];
}

/** The regular expressions of overrides. */
export function overridePatterns({ fieldConfig }: Panel): string[] {
  return (fieldConfig?.overrides ?? [])
    .filter(({ matcher }) => matcher.id === 'byRegexp')
    .map(({ matcher }) => String(matcher.options));
}

/** Every value of a key, at any depth. */
export function valuesOf(node: unknown, key: string): unknown[] {
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  return Object.entries(node).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(value, key)]);
}
