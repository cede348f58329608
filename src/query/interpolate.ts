import { mapValues } from 'lodash';

import { type ScopedVars, type TypedVariableModel } from '@grafana/data';
import { type TemplateSrv } from '@grafana/runtime';

import { getDataSet } from '../../schema/datasets';
import { describedAs, partNames } from './parts';
import {
  type Attention,
  type Filter,
  type InsightsQuery,
  operandsOf,
  type Operator,
  type Order,
  withOperands,
  withParts,
} from './query';

/** The part of Grafana's template service that interpolation needs. */
export type Templates = Pick<TemplateSrv, 'replace' | 'getVariables'>;

/** A text that consists of one variable, without a format of its own. */
const loneVariable = /^(?:\$(\w+)|\$\{(\w+)\}|\[\[(\w+)\]\])$/;

/** The parts that are a text. Several values of a search have a meaning of their own. */
const textNames = partNames.filter((name) => name !== 'search' && describedAs(name).is === 'text');

/**
 * Interpolates the variables in every text of a query. A variable without a value switches off a property or
 * a filter that consists of the variable.
 */
export function interpolateQuery(query: InsightsQuery, scopedVars: ScopedVars, templates: Templates): InsightsQuery {
  const text = (saved: string) => templates.replace(saved, scopedVars);
  const list = (saved: string[] = []) => [
    ...new Set(saved.flatMap((value) => expand(value, scopedVars, templates) ?? []).filter(Boolean)),
  ];
  const filters = query.filters?.flatMap((filter) => interpolateFilter(filter, scopedVars, templates)) ?? [];
  const field = query.sort && text(query.sort.field);

  const texts = Object.fromEntries(textNames.map((name) => [name, query[name] && text(query[name] as string)]));
  const resolved = withParts(query, {
    ...texts,
    filters,
    sort: query.sort && field ? { field, order: (text(query.sort.order) || 'asc') as Order } : undefined,
    having: query.having?.flatMap((filter) => interpolateFilter(filter, scopedVars, templates)),
    measures: list(query.measures),
    columns: list(query.columns),
    groupBy: list(query.groupBy),
    attention: mapValues(query.attention, (value) =>
      typeof value === 'string' ? text(value) : Array.isArray(value) ? list(value) : value
    ) as Attention,
  });
  return withSearch(resolved, expand(query.search ?? '', scopedVars, templates)?.filter(Boolean) ?? []);
}

/** The service can only search for one text: several become a filter. */
function withSearch(query: InsightsQuery, values: string[]): InsightsQuery {
  if (values.length < 2) {
    return withParts(query, { search: values[0] });
  }
  const filter: Filter = { key: getDataSet(query.queryType).searchField, operator: '=|', values };
  return withParts(query, { search: undefined, filters: [...(query.filters ?? []), filter] });
}

/** Interpolates a filter; none if it is switched off. "No value" is only meant by a text that is saved empty. */
function interpolateFilter(filter: Filter, scopedVars: ScopedVars, templates: Templates): Filter[] {
  const { value, values, ...rest } = filter;
  const key = templates.replace(filter.key, scopedVars);
  const operator = templates.replace(filter.operator, scopedVars) as Operator;
  const saved = operandsOf({ value, values });
  const isRegex = operator === '=~' || operator === '!~';

  const expanded = saved.map((text) => expand(text, scopedVars, templates));
  const operands = saved.flatMap((text, index) => {
    const found = text === '' ? [text] : (expanded[index]?.filter(Boolean) ?? []);
    return isRegex && found.length > 0 ? templates.replace(text, scopedVars, 'regex') : found;
  });
  const isOff =
    expanded.includes(undefined) ||
    (saved.length > 0 && operands.length === 0) ||
    (Boolean(filter.key) && !key) ||
    (Boolean(filter.operator) && !operator);
  return isOff ? [] : [withOperands({ ...rest, key, operator }, operands)];
}

/** The values of a text: several for a multi-value variable, undefined for All. */
function expand(text: string, scopedVars: ScopedVars, templates: Templates): string[] | undefined {
  if (!loneVariable.test(text)) {
    return [templates.replace(text, scopedVars)];
  }
  if (isAllSelected(text, scopedVars, templates)) {
    return undefined;
  }
  return [readVariable(text, scopedVars, templates).value ?? []].flat().map(String);
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
