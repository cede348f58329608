import { t } from '@grafana/i18n';

import { type InsightsQuery, type QueryParts, withParts } from './query';

/** A question that people ask often. */
export interface Preset {
  name: string;
  title: string;
  description: string;
  query: QueryParts;
}

/** Questions that fill the editor in one click. */
export function presets(): Preset[] {
  return [
    {
      name: 'success-rate',
      title: t('presets.success-rate.title', 'Success rate by automation'),
      description: t(
        'presets.success-rate.description',
        'What the service reports for each automation, in its own scale: good for an alert rule'
      ),
      query: { queryType: 'automations', format: 'numeric', measure: 'successRate', groupBy: ['label'] },
    },
    {
      name: 'failed-tasks',
      title: t('presets.failed-tasks.title', 'Failed tasks over time'),
      description: t('presets.failed-tasks.description', 'Tasks that failed, when they finished, by automation'),
      query: {
        queryType: 'tasks',
        format: 'timeseries',
        measure: 'failedTasks',
        groupBy: ['activityLabel'],
        timeField: 'dateLastModified',
      },
    },
    {
      name: 'oldest-queued',
      title: t('presets.oldest-queued.title', 'Oldest queued task'),
      description: t(
        'presets.oldest-queued.description',
        'Seconds that the task at the head of the queue has waited, over the last 30 days'
      ),
      // A task that waits for days was created before most time ranges begin.
      query: { queryType: 'tasks', format: 'numeric', measure: 'oldestQueued', days: 30 },
    },
    {
      name: 'top-automations',
      title: t('presets.top-automations.title', 'Top 10 automations by volume'),
      description: t('presets.top-automations.description', 'The ten automations with the most tasks'),
      query: {
        queryType: 'automations',
        sort: { field: 'taskCount', order: 'desc' },
        columns: ['label', 'name', 'taskCount', 'sumItems', 'sumItemsError', 'successRate'],
        limit: 10,
      },
    },
    {
      name: 'runner-utilization',
      title: t('presets.runner-utilization.title', 'Runner utilization'),
      description: t('presets.runner-utilization.description', 'Share of time that each runner was busy'),
      query: { queryType: 'runners', format: 'numeric', measure: 'utilizationRate', groupBy: ['_id'] },
    },
    {
      name: 'items-per-hour',
      title: t('presets.items-per-hour.title', 'Items per hour'),
      description: t('presets.items-per-hour.description', 'Items processed, by the hour in which their task finished'),
      query: {
        queryType: 'tasks',
        format: 'timeseries',
        measure: 'processedItems',
        timeField: 'dateLastModified',
        per: 'hour',
      },
    },
  ];
}

const nothing: Record<keyof QueryParts, undefined> = {
  queryType: undefined,
  days: undefined,
  search: undefined,
  sort: undefined,
  filters: undefined,
  format: undefined,
  columns: undefined,
  limit: undefined,
  measure: undefined,
  groupBy: undefined,
  timeField: undefined,
  compare: undefined,
  per: undefined,
  timezone: undefined,
};

/** Puts a preset in the place of a query, of which only what Grafana knows it by stays. */
export function applyPreset(query: InsightsQuery, preset: QueryParts): InsightsQuery {
  return withParts(query, { ...nothing, ...preset });
}
