import { isEqual } from 'lodash';

import { type QueryFilterOptions, type QueryFixAction, type ToggleFilterAction } from '@grafana/data';

import { getDataSet, namedFields } from '../../schema/datasets';
import { filtersBy } from './adhoc';
import { defaultFormat, type Filter, type InsightsQuery, withParts } from '../query/query';
import { shownFilter, shownQuery } from '../query/shown';

/** What Explore's table calls "Filter for value" and "Filter out value". */
const actions: Record<string, ToggleFilterAction['type']> = { ADD_FILTER: 'FILTER_FOR', ADD_FILTER_OUT: 'FILTER_OUT' };

/** The same change in the words of Grafana's older method, by whose existence Explore decides whether it offers it. */
export function modifyFilters(query: InsightsQuery, { type, options = {} }: QueryFixAction): InsightsQuery {
  return type in actions ? toggleFilter(query, { type: actions[type], options }) : query;
}

/**
 * Adds a filter for or against the value of a cell, in place of the opposite one, or removes the same filter. A number or
 * a severity of a result is not a field of its rows: then the query doesn't change.
 */
export function toggleFilter(saved: InsightsQuery, { type, options }: ToggleFilterAction): InsightsQuery {
  const query = shownQuery(saved);
  if (!hasField(query, options.key)) {
    return saved;
  }
  const { filters = [] } = query;
  const filter = filterOf(options, type === 'FILTER_FOR' ? '=' : '!=');
  const opposite = filterOf(options, type === 'FILTER_FOR' ? '!=' : '=');
  const others = filters.filter(isOther(filter)).filter(isOther(opposite));
  return withParts(saved, { filters: filters.every(isOther(filter)) ? [...others, filter] : others });
}

/** Whether a query has the filter for a value. */
export function hasFilterFor(saved: InsightsQuery, options: QueryFilterOptions): boolean {
  return shownQuery(saved).filters?.every(isOther(filterOf(options, '='))) === false;
}

const isOther = (filter: Filter) => (saved: unknown) => !isEqual(shownFilter(saved), filter);

const filterOf = ({ key, value }: QueryFilterOptions, operator: '=' | '!='): Filter => ({ key, operator, value });

/** Whether rows have a field. Only a table can have one that no data set describes. */
function hasField(query: InsightsQuery, key: string): boolean {
  const isTable = (query.format ?? defaultFormat) === defaultFormat;
  return isTable ? filtersBy(query, key) : namedFields(getDataSet(query.queryType)).some(({ name }) => name === key);
}
