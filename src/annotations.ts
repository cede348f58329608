import { of } from 'rxjs';

import { type AnnotationEvent, type AnnotationQuery, type AnnotationSupport, type DataFrame } from '@grafana/data';
import { t } from '@grafana/i18n';

import { AnnotationEditor } from './editor/AnnotationEditor';
import { defaultTimeField, type InsightsQuery, type QueryParts, withParts } from './query';

/** New annotations mark tasks that failed, where they did. */
export const defaultAnnotation: QueryParts = {
  queryType: 'tasks',
  filters: [{ key: 'finishStatus', operator: '=', value: 'FAILED' }],
  timeField: 'dateLastModified',
};

/** Tasks as annotations: an event has a time, which only tasks have. */
export const annotationSupport: AnnotationSupport<InsightsQuery> = {
  QueryEditor: AnnotationEditor,
  getDefaultQuery: () => defaultAnnotation,
  prepareAnnotation: (annotation: AnnotationQuery<InsightsQuery>) => ({
    ...annotation,
    target: annotation.target ?? { refId: 'Anno', ...defaultAnnotation },
  }),
  prepareQuery: ({ target }) =>
    target &&
    withParts(target, {
      queryType: 'tasks',
      days: undefined,
      format: undefined,
      columns: undefined,
      measure: undefined,
      groupBy: undefined,
    }),
  processEvents: ({ target }, frames) => of(frames.flatMap((frame) => events(frame, target?.timeField))),
};

function events(frame: DataFrame, timeField: string = defaultTimeField): AnnotationEvent[] {
  const columns = new Map(frame.fields.map(({ name, values }) => [name, values]));
  return Array.from({ length: frame.length }, (_, row) => (name: string) => columns.get(name)?.[row])
    .filter((cell) => cell(timeField) != null)
    .map((cell) => toEvent(cell, timeField));
}

function toEvent(cell: (name: string) => unknown, timeField: string): AnnotationEvent {
  const time = Number(cell(timeField));
  const end = cell('state') === 'FINISHED' ? Number(cell('dateLastModified') ?? time) : time;
  return {
    id: String(cell('id')),
    time,
    ...(end > time && { timeEnd: end, isRegion: true }),
    title: String(cell('activityLabel') ?? ''),
    text: text(cell),
    tags: ['state', 'finishStatus', 'repositoryLabel']
      .map(cell)
      .filter((tag) => tag != null && tag !== '')
      .map(String),
  };
}

function text(cell: (name: string) => unknown): string {
  const values = {
    status: cell('finishStatus') ?? cell('state'),
    machine: cell('machineId'),
    processed: cell('processedItems'),
    total: cell('totalItems'),
    interpolation: { escapeValue: false },
  };
  return [
    String(values.status ?? ''),
    values.machine != null && t('annotation.machine', 'on machine {{machine}}', values),
    values.total != null && t('annotation.items', '{{processed}} of {{total}} items', values),
  ]
    .filter(Boolean)
    .join(', ');
}
