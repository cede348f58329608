import { type ScopedVars, type TypedVariableModel } from '@grafana/data';
import { type TemplateSrv } from '@grafana/runtime';

import { getDataSet } from '../datasets/datasets';
import {
  type Compare,
  type Filter,
  type InsightsQuery,
  type Operator,
  type Per,
  type QueryParts,
  withParts,
} from './query';

/** What the interpolation needs of Grafana's template service. */
export type Templates = Pick<TemplateSrv, 'replace' | 'getVariables'>;

/** A text that is one variable and nothing else, and leaves its format to us. */
const loneVariable = /^(?:\$(\w+)|\$\{(\w+)\}|\[\[(\w+)\]\])$/;

const multiValue: Partial<Record<Operator, Operator>> = { '=': '=|', '!=': '!=|' };

/** Replaces the variables in every text of a query. */
export function interpolateQuery(query: InsightsQuery, scopedVars: ScopedVars, templates: Templates): InsightsQuery {
  const text = (value: string | undefined) => value && templates.replace(value, scopedVars);
  const list = (values: string[] | undefined) =>
    values && [...new Set(values.flatMap((value) => expand(value, scopedVars, templates) ?? []))];
  const { search, filters } = interpolateSearch(query, scopedVars, templates);

  const parts: Partial<QueryParts> = {
    search,
    filters: [...interpolateFilters(query, scopedVars, templates), ...filters],
  };
  if (query.queryType) {
    parts.queryType = templates.replace(query.queryType, scopedVars) as InsightsQuery['queryType'];
  }
  if (query.sort) {
    parts.sort = { ...query.sort, field: templates.replace(query.sort.field, scopedVars) };
  }
  return withParts(query, {
    ...parts,
    columns: list(query.columns),
    groupBy: list(query.groupBy),
    measure: text(query.measure),
    compare: text(query.compare) as Compare | undefined,
    per: text(query.per) as Per | undefined,
    timezone: text(query.timezone),
  });
}

/** The service searches for one text only: several values of a variable become a filter, all of them no search. */
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
      return allChosen(filter.value, scopedVars, templates)
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

/** A text box that is empty filters nothing; only a filter whose author left its value empty means "no value". */
function isEmptyText(values: string[]): boolean {
  return values.length === 1 && values[0] === '';
}

/** The values that a text stands for: several for a multi-value variable, undefined for all. */
function expand(text: string, scopedVars: ScopedVars, templates: Templates): string[] | undefined {
  if (!loneVariable.test(text)) {
    return [templates.replace(text, scopedVars)];
  }
  if (allChosen(text, scopedVars, templates)) {
    return undefined;
  }
  return capture(text, scopedVars, templates).values;
}

/**
 * Whether a text is one variable whose choice is All. A repeated panel has a value of its own, a single text,
 * although the dashboard's choice is All; a custom text for All never passes through the format.
 */
function allChosen(text: string | undefined, scopedVars: ScopedVars, templates: Templates): boolean {
  const [, ...names] = text?.match(loneVariable) ?? [];
  const name = names.find(Boolean);
  const variable = templates.getVariables().find((candidate) => candidate.name === name);
  if (!text || !name || !variable || name in scopedVars || !isAll(variable)) {
    return false;
  }
  const { formatted, list } = capture(text, scopedVars, templates);
  return !formatted || list;
}

function isAll(variable: TypedVariableModel): boolean {
  return 'current' in variable && 'value' in variable.current && [variable.current.value].flat().includes('$__all');
}

function capture(text: string, scopedVars: ScopedVars, templates: Templates) {
  let captured: unknown;
  let formatted = false;
  const replaced = templates.replace(text, scopedVars, (value: unknown) => {
    captured = value;
    formatted = true;
    return '';
  });
  return { formatted, list: Array.isArray(captured), values: formatted ? [captured].flat().map(String) : [replaced] };
}
