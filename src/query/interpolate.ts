import { isObject, isPlainObject, mapValues, pick, uniq } from 'lodash';

import { type ScopedVars, type TypedVariableModel } from '@grafana/data';
import { type TemplateSrv } from '@grafana/runtime';

import { getDataSet } from '../../schema/datasets';
import { describedAs, type Part, partNames } from './parts';
import {
  type Filter,
  type InsightsQuery,
  isVariable,
  operandsOf,
  type Operator,
  withOperands,
  withParts,
} from './query';
import { listOf, shownFilter } from './shown';

/** The part of Grafana's template service that interpolation needs. */
export type Templates = Pick<TemplateSrv, 'replace' | 'getVariables'>;

/** A text that consists of one variable, in any format. */
const loneVariable = /^(?:\$(\w+)|\$\{(\w+)(:[^}]*)?\}|\[\[(\w+)(:[^\]]*)?\]\])$/;

const hasVariable = (value: unknown): boolean =>
  typeof value === 'string' ? isVariable(value) : isObject(value) && Object.values(value).some(hasVariable);

/** A reference to a variable. Those of Grafana itself begin with __. */
const references = /\$[a-z]\w*|\$\{[a-z]\w*[^}]*\}|\[\[[a-z]\w*[^\]]*\]\]/gi;

/** The references of a saved query, in whatever place, to variables that don't exist: Grafana leaves these as they are. */
export function unknownVariables(saved: object, scopedVars: ScopedVars, templates: Templates): string[] {
  const isUnknown = (reference: string) => templates.replace(reference, scopedVars) === reference;
  const found = (value: unknown): string[] =>
    typeof value === 'string'
      ? (value.match(references) ?? []).filter(isUnknown)
      : Object.values(isObject(value) ? value : {}).flatMap(found);
  return uniq(found(pick(saved, [...partNames, 'field'])));
}

/**
 * Interpolates the variables in every text of a saved query, which can contain any JSON value. A variable without a value
 * switches off a property or a filter that consists of the variable. What has no variable stays exactly as it is.
 */
export function interpolateQuery(saved: InsightsQuery, scopedVars: ScopedVars, templates: Templates): InsightsQuery {
  const names = partNames.filter((name) => hasVariable(saved[name]));
  const parts = names.map((name) => [name, interpolatePart(name, saved[name], scopedVars, templates)]);
  const query = withParts(saved, Object.fromEntries(parts));
  const isExpanded = names.includes('search') && typeof saved.search === 'string';
  return isExpanded ? withSearch(query, listOf(query.search) as string[]) : query;
}

function interpolatePart(name: Part, saved: unknown, scopedVars: ScopedVars, templates: Templates): unknown {
  const expanded = (text: string) => expand(text, scopedVars, templates)?.filter(Boolean) ?? [];
  const interpolate = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return templates.replace(value, scopedVars);
    }
    if (Array.isArray(value)) {
      return uniq(value.flatMap((each) => (typeof each === 'string' ? expanded(each) : [interpolate(each)])));
    }
    return isPlainObject(value) ? mapValues(value as object, interpolate) : value;
  };
  switch (describedAs(name).is) {
    case 'filters':
      return listOf(saved).flatMap((filter) =>
        hasVariable(filter) ? interpolateFilter(shownFilter(filter), scopedVars, templates) : [filter]
      );
    case 'texts':
      return interpolate(listOf(saved));
    case 'sort': {
      const sort = interpolate(saved);
      return isPlainObject(sort) && !(sort as { field?: unknown }).field ? undefined : sort;
    }
    default:
      return name === 'search' && typeof saved === 'string' ? expanded(saved) : interpolate(saved);
  }
}

/** The service can only search for one text: several become a filter. */
function withSearch(query: InsightsQuery, values: string[]): InsightsQuery {
  if (values.length < 2) {
    return withParts(query, { search: values[0] });
  }
  const filter: Filter = { key: getDataSet(query.queryType).searchField, operator: '=|', values };
  return withParts(query, { search: undefined, filters: [...(listOf(query.filters) as Filter[]), filter] });
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

/** The values of a text: several for a multi-value variable, whatever its format, undefined for All. */
function expand(text: string, scopedVars: ScopedVars, templates: Templates): string[] | undefined {
  const replaced = templates.replace(text, scopedVars);
  const [, ...found] = loneVariable.exec(text) ?? [];
  const [name, format] = found.filter((each) => each !== undefined);
  if (!name) {
    return [replaced];
  }
  const { value, isFormatted } = readVariable(name, scopedVars, templates);
  const isSingle = isFormatted && !Array.isArray(value);
  if (!isSingle && isAllSelected(name, scopedVars, templates)) {
    return undefined;
  }
  // The format of a single value can make another one of it, such as a time in seconds.
  return !isFormatted || (isSingle && format) ? [replaced] : listOf(value).map(String);
}

// Whether a variable has All selected. A repeated panel has its own value, a single text, although the dashboard's selection is
// All. A custom text for All is inserted without formatting.
function isAllSelected(name: string, scopedVars: ScopedVars, templates: Templates): boolean {
  const variable = templates.getVariables().find((candidate) => candidate.name === name);
  return variable !== undefined && !(name in scopedVars) && isAll(variable);
}

function isAll(variable: TypedVariableModel): boolean {
  return 'current' in variable && 'value' in variable.current && [variable.current.value].flat().includes('$__all');
}

// Reads the value of a variable. The template service can't return values, only format them, so this records the value in a
// format function, which is not called for a text that is inserted without formatting.
function readVariable(name: string, scopedVars: ScopedVars, templates: Templates) {
  let value: unknown;
  let isFormatted = false;
  templates.replace(`\${${name}}`, scopedVars, (recorded: unknown) => {
    value = recorded;
    isFormatted = true;
    return '';
  });
  return { value, isFormatted };
}
