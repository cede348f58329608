import { aspectsOf, changeDataSet, changeFormat, changeParts, isLineOfSums } from './fit';
import { type InsightsQuery, isVariable, taskColumns } from './query';

const tasks: InsightsQuery = {
  refId: 'A',
  queryType: 'tasks',
  days: 7,
  search: 'INV',
  sort: { field: 'totalItems', order: 'desc' },
  filters: [
    { key: 'state', operator: '=', value: 'FINISHED' },
    { key: 'repositoryLabel', operator: '=', value: 'finance' },
  ],
  columns: ['id', 'machineId'],
  limit: 5,
  timeField: 'dateStartRunning',
};

describe('changeDataSet', () => {
  it('keeps what the new data set has, and names the parts that it does not', () => {
    expect(changeDataSet(tasks, 'automations')).toEqual({
      query: {
        refId: 'A',
        queryType: 'automations',
        days: 7,
        search: 'INV',
        filters: [{ key: 'repositoryLabel', operator: '=', value: 'finance' }],
        columns: ['machineId'],
        limit: 5,
      },
      reset: ['columns', 'filters', 'sort', 'timeField'],
    });
  });

  it('drops the search between automations and runners, which have different search fields', () => {
    const { query, reset } = changeDataSet({ refId: 'A', search: 'INV' }, 'runners');
    expect(query).toEqual({ refId: 'A', queryType: 'runners' });
    expect(reset).toEqual(['search']);
  });

  it('keeps variables, which can have any value', () => {
    const query: InsightsQuery = {
      refId: 'A',
      search: '$label',
      sort: { field: '${sort}', order: 'asc' },
      filters: [{ key: '[[key]]', operator: '=', value: 'x' }],
      columns: ['$columns'],
    };
    expect(changeDataSet(query, 'runners')).toEqual({ query: { ...query, queryType: 'runners' }, reset: [] });
  });

  it('selects another measure if the previous one does not exist', () => {
    const query: InsightsQuery = {
      refId: 'A',
      format: 'numeric',
      measure: 'duration',
      groupBy: ['state', 'machineId'],
    };
    expect(changeDataSet(query, 'automations')).toEqual({
      query: { refId: 'A', queryType: 'automations', format: 'numeric', measure: 'taskCount', groupBy: ['machineId'] },
      reset: ['measure', 'groupBy'],
    });
  });

  it('keeps a line if the new data set can draw it', () => {
    const query: InsightsQuery = { refId: 'A', format: 'timeseries', measure: 'tasks' };
    expect(changeDataSet(query, 'runners')).toEqual({ query: { ...query, queryType: 'runners' }, reset: [] });
    expect(changeDataSet({ ...query, measure: 'successRate' }, 'automations')).toEqual({
      query: { refId: 'A', queryType: 'automations', format: 'timeseries', measure: 'taskCount' },
      reset: ['measure'],
    });
  });

  it('resets nothing if everything applies', () => {
    const query: InsightsQuery = { refId: 'A', queryType: 'automations', filters: tasks.filters?.slice(1), limit: 3 };
    expect(changeDataSet(query, 'tasks')).toEqual({
      query: { ...query, queryType: 'tasks', columns: taskColumns },
      reset: [],
    });
  });
});

describe('changeFormat', () => {
  it('drops the parts of tables, and selects a measure', () => {
    expect(changeFormat({ refId: 'A', columns: ['id'], sort: { field: 'id', order: 'asc' } }, 'timeseries')).toEqual({
      query: { refId: 'A', format: 'timeseries', measure: 'tasks' },
      reset: ['columns', 'sort'],
    });
  });

  it('replaces the columns of a new table of tasks by all columns of another data set', () => {
    const query: InsightsQuery = { refId: 'A', queryType: 'tasks', columns: taskColumns };
    expect(changeDataSet(query, 'automations')).toEqual({ query: { refId: 'A', queryType: 'automations' }, reset: [] });
    expect(changeDataSet({ refId: 'A', queryType: 'automations' }, 'tasks').query).toEqual(query);
  });

  it('does not report the columns of a new table, which nobody selected', () => {
    const query: InsightsQuery = { refId: 'A', columns: taskColumns };
    expect(changeFormat(query, 'numeric')).toEqual({
      query: { refId: 'A', format: 'numeric', measure: 'tasks' },
      reset: [],
    });
  });

  it('drops the parts of numbers, and saves no default', () => {
    const query: InsightsQuery = { refId: 'A', format: 'numeric', measure: 'duration', groupBy: ['state'], limit: 3 };
    expect(changeFormat(query, 'table')).toEqual({
      query: { refId: 'A', limit: 3, columns: taskColumns },
      reset: ['measure', 'groupBy'],
    });
  });

  it('keeps everything between number and line', () => {
    const query: InsightsQuery = {
      refId: 'A',
      format: 'numeric',
      measure: 'duration',
      groupBy: ['state'],
      sort: { field: 'duration', order: 'asc' },
    };
    expect(changeFormat(query, 'timeseries')).toEqual({ query: { ...query, format: 'timeseries' }, reset: [] });
  });
});

describe('a timeline', () => {
  const timeline: InsightsQuery = {
    refId: 'A',
    format: 'timeline',
    groupBy: ['repositoryLabel'],
    state: 'finishStatus',
  };

  it('starts with its own lanes, and drops what has no meaning for bars', () => {
    const query: InsightsQuery = {
      refId: 'A',
      format: 'timeseries',
      measure: 'tasks',
      groupBy: ['finishStatus'],
      timeField: 'dateLastModified',
      per: 'day',
      compare: 'week',
      sort: { field: 'tasks', order: 'desc' },
      days: 3,
    };
    expect(changeFormat(query, 'timeline')).toEqual({
      query: { refId: 'A', format: 'timeline', days: 3 },
      reset: ['measure', 'groupBy', 'per', 'compare', 'sort', 'timeField'],
    });
  });

  it('leaves no lanes to a number', () => {
    expect(changeFormat(timeline, 'numeric')).toEqual({
      query: { refId: 'A', format: 'numeric', measure: 'tasks' },
      reset: ['groupBy', 'state'],
    });
  });

  it('becomes a table of a data set that does not say when tasks ran', () => {
    expect(changeDataSet(timeline, 'runners')).toEqual({
      query: { refId: 'A', queryType: 'runners' },
      reset: ['format', 'groupBy', 'state'],
    });
  });

  it('keeps variables, and everything when nothing changes', () => {
    const query: InsightsQuery = { ...timeline, state: '$bars', groupBy: ['$lanes'] };
    expect(changeFormat(query, 'timeline')).toEqual({ query, reset: [] });
  });
});

describe('a line of automations', () => {
  const query: InsightsQuery = { refId: 'A', queryType: 'automations', format: 'numeric', groupBy: ['label'] };

  it('keeps a measure that adds up over time', () => {
    const savings = { ...query, measure: 'savings' };
    expect(changeFormat(savings, 'timeseries')).toEqual({ query: { ...savings, format: 'timeseries' }, reset: [] });
  });

  it.each(['successRate', 'fte', 'roi'])('drops %s, which does not', (measure) => {
    expect(changeFormat({ ...query, measure }, 'timeseries')).toEqual({
      query: { ...query, format: 'timeseries', measure: 'taskCount' },
      reset: ['measure'],
    });
  });
});

it.each([
  [{ queryType: 'automations', format: 'timeseries' }, true],
  [{ queryType: 'runners', format: 'timeseries' }, true],
  [{ queryType: 'runners', format: 'numeric' }, false],
  [{ queryType: 'tasks', format: 'timeseries' }, false],
  [{ format: 'timeseries' }, false],
] as const)('whether %j is a line of totals: %p', (query, expected) => {
  expect(isLineOfSums(query)).toBe(expected);
});

describe('changeParts', () => {
  const query: InsightsQuery = {
    refId: 'A',
    format: 'numeric',
    measure: 'tasks',
    groupBy: ['state'],
    sort: { field: 'state', order: 'asc' },
  };

  it('drops a sort by a label that no longer exists', () => {
    expect(changeParts(query, { groupBy: [] })).toEqual({
      query: { refId: 'A', format: 'numeric', measure: 'tasks' },
      reset: ['sort'],
    });
  });

  it('keeps any other sort', () => {
    expect(changeParts(query, { measure: 'duration' }).reset).toEqual([]);
    const byVariable = { ...query, sort: { field: '$sort', order: 'asc' as const } };
    expect(changeParts(byVariable, { groupBy: [] }).reset).toEqual([]);
    expect(changeParts({ refId: 'A', sort: { field: 'anything', order: 'asc' } }, { limit: 1 }).reset).toEqual([]);
  });
});

it.each([
  ['$x', true],
  ['a ${x:csv}', true],
  ['[[x]]', true],
  ['5 $', false],
  ['state', false],
])('whether %p is a variable: %p', (text, expected) => {
  expect(isVariable(text)).toBe(expected);
});

describe('compare and per', () => {
  const line: InsightsQuery = { refId: 'A', format: 'timeseries', measure: 'tasks', compare: 'week', per: 'hour' };

  it.each<['table' | 'numeric', string[]]>([
    ['table', ['per', 'compare']],
    ['numeric', ['per']],
  ])('are dropped if %s does not support them', (format, parts) => {
    const { query, reset } = changeFormat(line, format);
    expect(reset.filter((part) => part !== 'measure')).toEqual(parts);
    expect(query.per).toBeUndefined();
    expect(query.compare).toBe(format === 'numeric' ? 'week' : undefined);
  });

  it.each<[Partial<InsightsQuery>, Partial<InsightsQuery>]>([
    [{ format: 'numeric' }, { measure: 'oldestQueued' }],
    [{ queryType: 'automations', format: 'numeric', measure: 'savings' }, { measure: 'roi' }],
  ])('%j is not compared with %j if no earlier value is known', (parts, change) => {
    const given = { ...line, per: undefined, ...parts };
    expect(changeParts(given, change).reset).toEqual(['compare']);
    expect(changeParts(given, change).query).not.toHaveProperty('compare');
    expect(changeParts({ ...given, compare: '$compare' as 'week' }, change).query).toHaveProperty('compare');
    expect(changeParts(given, { compare: 'year' }).query.compare).toBe('year');
  });

  it('are kept if another data set can compare', () => {
    expect(changeDataSet(line, 'runners').query).toMatchObject({ measure: 'tasks', compare: 'week', per: 'hour' });
  });

  it('forget the previous hour where there are only totals of whole days', () => {
    const { query, reset } = changeDataSet({ ...line, compare: 'hour' }, 'runners');
    expect(query).not.toHaveProperty('compare');
    expect(reset).toContain('compare');
    expect(changeParts({ ...line, compare: 'hour' }, { measure: 'queued' }).query.compare).toBe('hour');
  });
});

it('keeps a filter on a field that only the service knows, until the data set changes', () => {
  const filters: InsightsQuery['filters'] = [{ key: 'priority', operator: '=', value: 'high' }];
  const query: InsightsQuery = { refId: 'A', queryType: 'automations', filters };
  expect(changeFormat(query, 'numeric')).toEqual({
    query: { ...query, format: 'numeric', measure: 'taskCount' },
    reset: [],
  });
  expect(changeDataSet(query, 'runners').reset).toEqual(['filters']);
});

describe('the margin of a sum of days, and the row of all', () => {
  const sum = { refId: 'A', queryType: 'automations', format: 'numeric', total: true } as const;
  const saved: InsightsQuery = { ...sum, measures: ['savings', 'savings.margin', 'roi'] };

  it('are kept without a comparison, and of that measure only', () => {
    expect(changeParts(saved, { compare: 'month' }).query).toEqual({ ...saved, compare: 'month' });
    expect(aspectsOf(saved, 'savings')).toEqual(['margin']);
    expect(aspectsOf({ ...saved, compare: 'month' }, 'roi')).toEqual(['before', 'change', 'difference']);
  });

  it('are no part of a line, nor the margin of tasks', () => {
    const line = changeFormat({ ...saved, measures: ['savings', 'savings.margin'] }, 'timeseries');
    expect(line).toEqual({
      query: { refId: 'A', queryType: 'automations', format: 'timeseries', measure: 'savings' },
      reset: ['measures', 'total'],
    });
    expect(aspectsOf({ refId: 'A', format: 'numeric' }, 'tasks')).toEqual([]);
  });
});
