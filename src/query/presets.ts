import { omit } from 'lodash';

import { FieldColorModeId } from '@grafana/data';
import { t } from '@grafana/i18n';

import { newPanel } from './firstQuery';
import { type PanelDefaults } from '../panel/panelDefaults';
import { partNames } from './parts';
import { defaultFormat, type Format, type InsightsQuery, type QueryParts, taskColumns, withParts } from './query';

/** A query to start from, and how a panel shows it. */
export interface Preset {
  name: string;
  title: string;
  description: string;
  query: QueryParts;
  look: PanelDefaults;
}

/** Stat, gauge, and bar gauge would show only the last hour. */
const lines: PanelDefaults = { visualizations: ['timeseries', 'barchart'] };

/** Horizontal bars leave room for the names of the groups. */
const bars = (color: FieldColorModeId): PanelDefaults => ({
  visualizations: ['bargauge', 'barchart', 'piechart'],
  options: { orientation: 'horizontal', displayMode: 'basic', showUnfilled: false },
  defaults: { color: { mode: color } },
});

/** Two tasks of an automation in a row are two bars. The names of bars are in the legend where they don't fit. */
const timeline: PanelDefaults = {
  visualizations: ['state-timeline'],
  options: {
    mergeValues: false,
    rowHeight: 0.8,
    showValue: 'auto',
    legend: { showLegend: true, displayMode: 'list', placement: 'bottom' },
  },
};

const table: PanelDefaults = { visualizations: ['table'] };

const values = ['stat', 'gauge', 'bargauge', 'piechart'];

/** How a panel draws each format, in visualizations of Grafana that may be replaced. A line can be drawn by all of them. */
const looks: Partial<Record<Format, PanelDefaults>> = {
  table: { visualizations: ['table', 'barchart', ...values] },
  attention: { visualizations: ['table', 'barchart', ...values] },
  deadlines: { visualizations: ['table'] },
  numeric: { visualizations: [...values, 'barchart', 'table'] },
  timeline: { ...timeline, visualizations: ['state-timeline', 'table'] },
};

/** How a panel can draw a query; undefined if anything can. A comparison of numbers has times. */
export function lookFor({ format = defaultFormat, compare }: InsightsQuery): PanelDefaults | undefined {
  return compare && format === 'numeric' ? undefined : looks[format];
}

const byAutomation: QueryParts = { queryType: 'tasks', format: 'numeric', groupBy: ['activityLabel'] };
const worst: QueryParts['sort'] = { field: 'successRate', order: 'asc' };

const rateWithChange = ['successRate', 'successRate.change'];

/** The starter queries, in the order in which they are offered. */
export function presets(): Preset[] {
  return [
    {
      name: 'tasks-over-time',
      title: t('presets.tasks-over-time.title', 'Tasks over time'),
      description: t('presets.tasks-over-time.description', 'Tasks created in each hour, by finish status'),
      query: newPanel,
      look: lines,
    },
    {
      name: 'latest-tasks',
      title: t('presets.latest-tasks.title', 'Latest tasks'),
      description: t('presets.latest-tasks.description', 'One row per task, the newest first'),
      query: { queryType: 'tasks', columns: taskColumns, sort: { field: 'dateCreation', order: 'desc' } },
      look: table,
    },
    {
      name: 'automations-at-a-glance',
      title: t('presets.automations-at-a-glance.title', 'Automations at a glance'),
      description: t('presets.automations-at-a-glance.description', 'Success, failures, durations, and time in queue'),
      query: {
        ...byAutomation,
        measures: ['successRate', 'tasks', 'failedTasks', 'duration', 'durationP95', 'queueTime'],
        sort: worst,
      },
      look: table,
    },
    {
      name: 'rate-with-change',
      title: t('presets.rate-with-change.title', 'Success rate with change'),
      description: t('presets.rate-with-change.description', 'The lowest first, compared with the period before'),
      query: { ...byAutomation, measures: [...rateWithChange, 'tasks'], compare: 'previous', sort: worst },
      look: table,
    },
    {
      name: 'monthly-report',
      title: t('presets.monthly-report.title', 'Monthly report'),
      description: t('presets.monthly-report.description', 'The last 30 days by automation, with a row of all'),
      query: {
        ...byAutomation,
        measures: ['tasks', 'successRate', 'failedTasks', 'totalItems', 'runTime'],
        ...{ days: 30, total: true },
      },
      look: table,
    },
    {
      name: 'needs-attention',
      title: t('presets.needs-attention.title', 'Needs attention'),
      description: t('presets.needs-attention.description', 'What fails, waits, or runs longer than usual, and why'),
      query: { queryType: 'tasks', format: 'attention' },
      look: table,
    },
    {
      name: 'due-today',
      title: t('presets.due-today.title', 'Due today'),
      description: t('presets.due-today.description', 'The deadlines of today: what is done, late, or at risk'),
      query: { queryType: 'tasks', format: 'deadlines' },
      look: table,
    },
    {
      name: 'success-rate',
      title: t('presets.success-rate.title', 'Success rate by automation'),
      description: t('presets.success-rate.description', 'Success rate of each automation, the lowest first'),
      // That of tasks: it can be compared with an earlier one. A rule can be made from the panel, which has a time range.
      query: { ...byAutomation, measure: 'successRate', sort: worst },
      look: bars(FieldColorModeId.ContinuousRdYlGr),
    },
    {
      name: 'failed-tasks',
      title: t('presets.failed-tasks.title', 'Failed tasks over time'),
      description: t('presets.failed-tasks.description', 'Tasks that failed in each interval, by automation'),
      query: { ...byAutomation, format: 'timeseries', measure: 'failedTasks', timeField: 'dateLastModified' },
      look: lines,
    },
    {
      name: 'failed-tasks-table',
      title: t('presets.failed-tasks-table.title', 'Failed tasks'),
      description: t('presets.failed-tasks-table.description', 'What failed or timed out, the last task first'),
      query: {
        queryType: 'tasks',
        columns: taskColumns.map((name) => (name === 'finishStatus' ? 'dateLastModified' : name)),
        filters: [{ key: 'outcome', operator: '=', value: 'FAILED' }],
        ...{ sort: { field: 'dateLastModified', order: 'desc' }, timeField: 'dateLastModified' },
      },
      look: table,
    },
    {
      name: 'top-automations',
      title: t('presets.top-automations.title', 'Top 10 automations by volume'),
      description: t('presets.top-automations.description', 'The ten automations with the most tasks'),
      query: {
        queryType: 'automations',
        columns: ['label', 'name', 'taskCount', 'sumItems', 'sumItemsError', 'successRate'],
        ...{ sort: { field: 'taskCount', order: 'desc' }, limit: 10 },
      },
      look: table,
    },
    {
      name: 'runner-utilization',
      title: t('presets.runner-utilization.title', 'Runner utilization'),
      description: t('presets.runner-utilization.description', 'Share of the time that each runner was busy'),
      query: { queryType: 'runners', format: 'numeric', measure: 'utilizationRate', groupBy: ['_id'] },
      look: bars(FieldColorModeId.ContinuousBlues),
    },
    {
      name: 'runner-timeline',
      title: t('presets.runner-timeline.title', 'Timeline of runners'),
      description: t('presets.runner-timeline.description', 'Which automation ran when on each runner, and the gaps'),
      query: { queryType: 'tasks', format: 'timeline' },
      look: timeline,
    },
  ];
}

/** Replaces a query with a preset. Properties that Grafana itself stores in a query, such as its refId, are kept. */
export function applyPreset(query: InsightsQuery, preset: QueryParts): InsightsQuery {
  return withParts<InsightsQuery>(omit(query, partNames), preset);
}
