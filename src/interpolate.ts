import { type ScopedVars, type TypedVariableModel } from '@grafana/data';
import { type TemplateSrv } from '@grafana/runtime';

import { getDataSet } from '../datasets/datasets';
import { type Compare, type Filter, type InsightsQuery, type Operator, type Per, withParts } from './query';

/** The part of Grafana's template service that interpolation needs. */
export type Templates = Pick<TemplateSrv, 'replace' | 'getVariables'>;

/** A text that consists of one variable, without a format of its own. */
const loneVariable = /^(?:\$(\w+)|\$\{(\w+)\}|\[\[(\w+)\]\])$/;

const multiValue: Partial<Record<Operator, Operator>> = { '=': '=|', '!=': '!=|' };

/** Interpolates the variables in every text of a query. */
export function interpolateQuery(query: InsightsQuery, scopedVars: ScopedVars, templates: Templates): InsightsQuery {
  const text = (value: string | undefined) => value && templates.replace(value, scopedVars);
  const list = (values: string[] | undefined) =>
    values && [...new Set(values.flatMap((value) => expand(value, scopedVars, templates) ?? []))];
  const { search, filters } = interpolateSearch(query, scopedVars, templates);

  return withParts(query, {
    queryType: text(query.queryType) as InsightsQuery['queryType'],
    search,
    filters: [...interpolateFilters(query, scopedVars, templates), ...filters],
    sort: query.sort && { ...query.sort, field: templates.replace(query.sort.field, scopedVars) },
    columns: list(query.columns),
    groupBy: list(query.groupBy),
    measure: text(query.measure),
    compare: text(query.compare) as Compare | undefined,
    per: text(query.per) as Per | undefined,
    timezone: text(query.timezone),
    state: text(query.state),
  });
}

/**
 * The service can only search for one text: multiple values of a variable become a filter, and All removes the search.
 */
function interpolateSearch(query: InsightsQuery, scopedVars: ScopedVars, templates: Templates) {
  const values = expand(query.search ?? '', scopedVars, templates);
  if (!values || values.length < 2) {
    return { search: values?.[0], filters: [] };
  }
  const key = getDataSet(query.queryType).searchField;
  return { search: undefined, filters: [{ key, operator: '=|', values } satisfies Filter] };
}

function interpolateFilters({ filters = [] }: InsightsQuery, scopedVars: ScopedVars, templates: Templates): Filter[] {
  return filters.flatMap((filter): Filter[] => {
    const key = templates.replace(filter.key, scopedVars);
    if (filter.values) {
      const values = filter.values.map((value) => expand(value, scopedVars, templates));
      return values.includes(undefined) ? [] : [{ ...filter, key, values: values.flatMap((value) => value ?? []) }];
    }
    if (filter.operator === '=~' || filter.operator === '!~') {
      return isAllSelected(filter.value, scopedVars, templates)
        ? []
        : [{ ...filter, key, value: templates.replace(filter.value, scopedVars, 'regex') }];
    }
    const values = expand(filter.value ?? '', scopedVars, templates);
    if (!values || (filter.value && isEmptyText(values))) {
      return [];
    }
    const operator = multiValue[filter.operator];
    return values.length !== 1 && operator
      ? [{ key, operator, values }]
      : [{ ...filter, key, value: values.join(',') }];
  });
}

/** An empty text box filters nothing; "no value" is only meant by a filter whose value is left empty. */
function isEmptyText(values: string[]): boolean {
  return values.length === 1 && values[0] === '';
}

/** The values of a text: several for a multi-value variable, undefined for All. */
function expand(text: string, scopedVars: ScopedVars, templates: Templates): string[] | undefined {
  if (!loneVariable.test(text)) {
    return [templates.replace(text, scopedVars)];
  }
  if (isAllSelected(text, scopedVars, templates)) {
    return undefined;
  }
  return [readVariable(text, scopedVars, templates).value].flat().map(String);
}

/**
 * Whether a text consists of one variable with All selected. A repeated panel has its own value, a single text, although
 * the dashboard's selection is All. A custom text for All is inserted without formatting.
 */
function isAllSelected(text: string | undefined, scopedVars: ScopedVars, templates: Templates): boolean {
  const [, ...names] = text?.match(loneVariable) ?? [];
  const name = names.find(Boolean);
  const variable = templates.getVariables().find((candidate) => candidate.name === name);
  if (!text || !name || !variable || name in scopedVars || !isAll(variable)) {
    return false;
  }
  const { value, isFormatted } = readVariable(text, scopedVars, templates);
  return !isFormatted || Array.isArray(value);
}

function isAll(variable: TypedVariableModel): boolean {
  return 'current' in variable && 'value' in variable.current && [variable.current.value].flat().includes('$__all');
}

/**
 * Reads the value of a text that consists of one variable. The template service can't return values, only format them,
 * so this records the value in a format function. A text that is inserted without formatting is the value itself.
 */
function readVariable(text: string, scopedVars: ScopedVars, templates: Templates) {
  let value: unknown;
  let isFormatted = false;
  const replaced = templates.replace(text, scopedVars, (recorded: unknown) => {
    value = recorded;
    isFormatted = true;
    return '';
  });
  return { value: isFormatted ? value : replaced, isFormatted };
}
