import { omit, pick } from 'lodash';
import { of } from 'rxjs';

import { type AnnotationEvent, type AnnotationSupport, type DataFrame } from '@grafana/data';
import { t } from '@grafana/i18n';

import { getDataSet } from '../../schema/datasets';
import { type Templates } from '../query/interpolate';
import { type Annotation, prepareAnnotation, targetOf } from '../query/newAnnotation';
import { type InsightsQuery } from '../query/query';
import { shownQuery } from '../query/shown';
import { whenOpened } from '../controls/whenOpened';

const AnnotationEditor = whenOpened(async () => (await import('../editor/AnnotationEditor')).AnnotationEditor);

/** Tasks as annotations: an event has a time, and only tasks have one. */
export function annotationSupport(templates: Templates): AnnotationSupport<InsightsQuery, Annotation> {
  return {
    QueryEditor: AnnotationEditor,
    // Grafana also merges this into a saved query, so it must not add anything to a query without filters.
    getDefaultQuery: () => ({ queryType: 'tasks' }),
    prepareAnnotation,
    prepareQuery: (annotation) => {
      const target = targetOf(annotation);
      return target && { ...omit(target, otherThanTable), queryType: 'tasks', ...attentionOf(target) };
    },
    processEvents: (annotation, frames) => {
      const { timeField, format } = shownQuery(targetOf(annotation) ?? { refId: 'Anno' });
      const ofTasks = (timeField && templates.replace(timeField)) || getDataSet('tasks').timeFields?.[0];
      const field = format === 'attention' ? 'since' : ofTasks;
      return of(frames.flatMap((frame) => events(frame, field ?? '')));
    },
  };
}

/** What would make anything else of a table with all fields of the tasks in the time range. */
const otherThanTable = ['days', 'format', 'columns', 'measure', 'measures', 'groupBy', 'attention'] as const;

/** What needs attention is marked where it began, with its reason. */
const attentionOf = (target: InsightsQuery) =>
  target.format === 'attention' ? pick(target, 'format', 'attention') : {};

function events(frame: DataFrame, timeField: string): AnnotationEvent[] {
  const columns = new Map(frame.fields.map(({ name, values }) => [name, values]));
  return Array.from({ length: frame.length }, (_, row) => (name: string) => columns.get(name)?.[row])
    .filter((cell) => cell(timeField) != null)
    .map((cell) => toEvent(cell, timeField));
}

// Grafana treats an event with any other ID, or none, as its own and offers to delete it: with a task's ID, it would delete the
// annotation with the same ID. It compares with the number, whatever the type says.
const notGrafanas = 0 as unknown as string;

function toEvent(cell: (name: string) => unknown, timeField: string): AnnotationEvent {
  const time = Number(cell(timeField));
  const end = cell('state') === 'FINISHED' ? Number(cell('dateLastModified') ?? time) : time;
  return {
    id: notGrafanas,
    time,
    ...(end > time && { timeEnd: end, isRegion: true }),
    title: String(cell('activityLabel') ?? ''),
    text: String(cell('why') ?? text(cell)),
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
    values.machine != null && t('annotation.machine', 'on runner {{machine}}', values),
    values.total != null && items(values),
  ]
    .filter(Boolean)
    .join(', ');
}

/** How many items were processed is unknown for some tasks. */
function items(values: { processed: unknown; total: unknown }): string {
  return values.processed == null
    ? t('annotation.total', '{{total}} items', values)
    : t('annotation.items', '{{processed}} of {{total}} items', values);
}
