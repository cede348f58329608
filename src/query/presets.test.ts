import { getDataSet, groupableFields, measures, namedFields } from '../../schema/datasets';
import { changeDataSet, changeFormat } from './fit';
import { applyPreset, presets } from './presets';
import { measuresOf, showsMeasure, splitMeasure, taskColumns } from './query';

it('offers the questions that people ask', () => {
  expect(presets().map(({ title }) => title)).toEqual([
    'Tasks over time',
    'Latest tasks',
    'Automations at a glance',
    'Success rate with change',
    'Monthly report',
    'Needs attention',
    'Due today',
    'Success rate by automation',
    'Failed tasks over time',
    'Failed tasks',
    'Top 10 automations by volume',
    'Runner utilization',
    'Timeline of runners',
  ]);
});

describe.each(presets().map((preset) => [preset.title, preset.query] as const))('%s', (_, query) => {
  const dataSet = getDataSet(query.queryType);
  const saved = { refId: 'A', ...query };

  it('names only what its data set has', () => {
    const names = namedFields(dataSet).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(query.columns ?? []));
    expect([...names, ...measuresOf(saved)]).toEqual(expect.arrayContaining(query.sort ? [query.sort.field] : []));
    expect(groupableFields(dataSet).map(({ name }) => name)).toEqual(expect.arrayContaining(query.groupBy ?? []));
    if (showsMeasure(query.format)) {
      expect(measuresOf(saved)).not.toEqual([]);
      expect(measures(dataSet).map(({ name }) => name)).toEqual(
        expect.arrayContaining(measuresOf(saved).map((name) => splitMeasure(name).measure))
      );
    }
  });

  it('is as the editor itself would save it', () => {
    expect(changeDataSet(saved, dataSet.name)).toEqual({ query: saved, reset: [] });
    expect(changeFormat(saved, query.format ?? 'table')).toEqual({ query: saved, reset: [] });
  });
});

it('shows when, how long, and where tasks ran in the columns that a narrow panel shows', () => {
  expect(taskColumns.slice(0, 4)).toEqual(['activityLabel', 'dateCreation', 'duration', 'machineId']);
  const failed = presets().find(({ name }) => name === 'failed-tasks-table')?.query.columns ?? [];
  expect(failed.slice(0, 4)).toEqual(taskColumns.slice(0, 4));
});

it('takes the place of a query, which keeps what Grafana knows it by', () => {
  const query = {
    refId: 'B',
    key: 'Q-1',
    hide: false,
    datasource: { uid: 'uid' },
    queryType: 'tasks' as const,
    days: 3,
    search: 'x',
    columns: ['id'],
  };
  expect(applyPreset(query, { queryType: 'runners', limit: 1 })).toStrictEqual({
    refId: 'B',
    key: 'Q-1',
    hide: false,
    datasource: { uid: 'uid' },
    queryType: 'runners',
    limit: 1,
  });
});
