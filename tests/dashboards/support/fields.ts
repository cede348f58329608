import type { Link, Panel } from './types';

/** Fields that a panel names besides its queries: in overrides, reductions, transformations and links. */
export function namedFields(panel: Panel): string[] {
  return [
    ...overridden(panel),
    ...reduced(panel),
    ...transformed(panel),
    ...[...JSON.stringify(panel).matchAll(/__data\.fields\.(\w+)/g)].map(([, name]) => name),
  ];
}

/** Fields that the transformations of a panel make: calculations, new names, and the corner of a matrix. */
export function madeFields({ transformations = [] }: Panel): string[] {
  const corners = transformations
    .filter(({ id }) => id === 'groupingToMatrix')
    .map(({ options }) => options as { rowField: string; columnField: string })
    .map(({ rowField, columnField }) => `${rowField}\\${columnField}`);
  const names = valuesOf(transformations, 'renameByName').flatMap((renamed) => Object.values(renamed as object));
  return [...valuesOf(transformations, 'alias'), ...names, ...corners].map(String);
}

/** Links that a panel has, on its values and in its cells. */
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

/** Queries that a panel names, by their refId. */
export function namedQueries({ fieldConfig, transformations = [] }: Panel): string[] {
  return [
    ...(fieldConfig?.overrides ?? [])
      .filter(({ matcher }) => matcher.id === 'byFrameRefID')
      .map(({ matcher }) => String(matcher.options)),
    ...valuesOf(transformations, 'configRefId').map(String),
  ];
}

/** Columns that a table sorts by go by the name that they are shown under. */
export function sortedColumns({ options }: Panel): string[] {
  return (options?.sortBy ?? []).map(({ displayName }) => displayName);
}

/** Names that overrides show fields under. */
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
  // Grafana takes a name or a regular expression; the dashboards keep to /^name$/.
  return fields ? [fields.replace(/^\/\^(\w+)\$\/$/, '$1')] : [];
}

function transformed({ transformations = [] }: Panel): string[] {
  return [
    ...valuesOf(transformations, 'fieldName').map(String),
    ...valuesOf(transformations, 'applyTo').map((applyTo) => String((applyTo as { options: unknown }).options)),
  ];
}

/** Every value that stands under a key, however deep. */
export function valuesOf(node: unknown, key: string): unknown[] {
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  return Object.entries(node).flatMap(([name, value]) => [...(name === key ? [value] : []), ...valuesOf(value, key)]);
}
