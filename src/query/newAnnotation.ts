import { isPlainObject, pick } from 'lodash';

import { type AnnotationQuery } from '@grafana/data';

import { partNames } from './parts';
import plugin from '../plugin.json';
import { type InsightsQuery, type QueryParts } from './query';

/** An annotation as Grafana stores it: its query is in a different place in newer dashboards. */
export type Annotation = AnnotationQuery<InsightsQuery> & { query?: { spec?: InsightsQuery } };

/** New annotations mark what failed or timed out at that time. */
export const newAnnotation: QueryParts = {
  queryType: 'tasks',
  filters: [{ key: 'outcome', operator: '=', value: 'FAILED' }],
  timeField: 'dateLastModified',
};

/** The properties that Grafana stores in any query. */
const grafanasOwn = ['refId', 'datasource', 'hide', 'key'];

/**
 * Fills in a new annotation: one whose query has no property of this plugin. It can have those that the previously selected
 * data source prepared, because Grafana asks that one first when another is selected. For the same reason, an annotation
 * that has just left this data source for another one is not filled in.
 *
 * Grafana compares the result: any other annotation must be returned as the same object.
 */
export function prepareAnnotation(annotation: Annotation): Annotation {
  const saved = targetOf(annotation);
  const { type } = annotation.datasource ?? {};
  if ((type && type !== plugin.id) || (saved && partNames.some((name) => name in saved))) {
    return annotation;
  }
  const target: InsightsQuery = { refId: 'Anno', ...pick(saved, grafanasOwn), ...newAnnotation };
  return {
    ...annotation,
    target,
    ...(isPlainObject(annotation.query) && { query: { ...annotation.query, spec: target } }),
  };
}

/** The query of an annotation. A text belongs to another data source, or to a very old dashboard. */
export function targetOf({ target, query }: Annotation): InsightsQuery | undefined {
  return [target, query?.spec].find((saved) => isPlainObject(saved));
}
