import { interpolateQuery } from './interpolate';
import { type InsightsQuery, operators } from './query';
import { templatesWith } from '../testing/datasource';

const templates = templatesWith({
  one: { value: 'INV-1' },
  many: { value: ['INV-1', 'PAY.2'] },
  everything: { all: ['INV-1', 'PAY-2', 'HR-3'] },
  everythingAsText: { all: ['INV-1'], allText: '.*' },
  nothing: { value: '' },
  none: { value: [] },
  set: { value: 'automations' },
  field: { value: 'label' },
  unit: { value: 'week' },
  format: { value: 'timeseries' },
  order: { value: 'desc' },
  operator: { value: '!=|' },
  zone: { value: 'Asia/Tokyo' },
  days: { value: '7' },
  stamp: { value: '2026' },
});

function interpolated(parts: Partial<InsightsQuery>, scopedVars = {}) {
  const { refId, ...rest } = interpolateQuery({ refId: 'A', ...parts }, scopedVars, templates);
  expect(refId).toBe('A');
  return rest;
}

it('replaces a variable in every text', () => {
  const query = {
    queryType: '$set',
    search: 'x-$one',
    format: '$format',
    timeField: '$field',
    sort: { field: '${field}', order: '$order' },
    filters: [{ key: '[[field]]', operator: '!=', value: 'a $one' }],
    columns: ['$field', 'name'],
    groupBy: ['$field'],
    measure: '$field',
    compare: '$unit',
    per: '$unit',
    timezone: '$zone',
    state: '$field',
  } as unknown as InsightsQuery;
  expect(interpolated(query)).toEqual({
    queryType: 'automations',
    search: 'x-INV-1',
    format: 'timeseries',
    timeField: 'label',
    sort: { field: 'label', order: 'desc' },
    filters: [{ key: 'label', operator: '!=', value: 'a INV-1' }],
    columns: ['label', 'name'],
    groupBy: ['label'],
    measure: 'label',
    compare: 'week',
    per: 'week',
    timezone: 'Asia/Tokyo',
    state: 'label',
  });
});

it('replaces variables in values of other types', () => {
  const saved = {
    groupBy: '${many:csv}',
    days: '$days',
    limit: '$nothing',
    sort: '$field,$order',
    attention: { ignore: '$one' },
  };
  expect(interpolated(saved as never)).toEqual({
    groupBy: ['INV-1', 'PAY.2'],
    days: '7',
    sort: 'label,desc',
    attention: { ignore: 'INV-1' },
  });
});

it('leaves a query without variables as it is', () => {
  const query: Partial<InsightsQuery> = {
    queryType: 'tasks',
    days: 7,
    search: 'INV',
    filters: [
      { key: 'state', operator: '=|', values: ['START', 'RUNNING'] },
      { key: 'machineId', operator: '=', value: '' },
      { key: 'activityLabel', operator: '=~', value: 'A.*' },
    ],
    columns: ['id'],
    limit: 3,
  };
  expect(interpolated(query)).toEqual(query);
});

describe('search', () => {
  it('becomes a single text for one value', () => {
    expect(interpolated({ search: '$one' })).toEqual({ search: 'INV-1' });
  });

  it.each([
    ['tasks', 'activityLabel'],
    ['automations', 'label'],
    ['runners', '_id'],
  ] as const)('becomes a filter of %s for several values', (queryType, key) => {
    expect(interpolated({ queryType, search: '$many' })).toEqual({
      queryType,
      filters: [{ key, operator: '=|', values: ['INV-1', 'PAY.2'] }],
    });
  });

  it('becomes a filter of the data set that a variable contains', () => {
    const query = { queryType: '$set', search: '$many' } as unknown as InsightsQuery;
    expect(interpolated(query).filters?.[0].key).toBe('label');
  });

  it('is added to the existing filters', () => {
    const filters = [{ key: 'state', operator: '=' as const, value: 'START' }];
    expect(interpolated({ filters, search: '${many}' }).filters).toHaveLength(2);
  });

  it.each(['$everything', '$everythingAsText', '$nothing', '$none'])('is removed for %s', (search) => {
    expect(interpolated({ search })).toEqual({});
  });

  it('is a single text in a panel that is repeated over all values', () => {
    expect(interpolated({ search: '$everything' }, { everything: { value: 'HR-3', text: 'HR-3' } })).toEqual({
      search: 'HR-3',
    });
  });

  it("keeps the author's format of a single value and within a text", () => {
    expect(interpolated({ search: '${stamp:seconds}' })).toEqual({ search: 'seconds of 2026' });
    expect(interpolated({ search: 'x-${many:csv}' })).toEqual({ search: 'x-INV-1,PAY.2' });
  });
});

describe('filters', () => {
  const filter = (operator: string, value?: string, values?: string[]) =>
    interpolated({ filters: [{ key: 'state', operator, value, values }] as InsightsQuery['filters'] }).filters;

  it.each([
    ['=', '=|'],
    ['!=', '!=|'],
  ])('turn %s into %s for several values', (operator, several) => {
    expect(filter(operator, '$many')).toEqual([{ key: 'state', operator: several, values: ['INV-1', 'PAY.2'] }]);
  });

  it('replace one item of a list with several values', () => {
    expect(filter('=|', undefined, ['X', '$many'])).toEqual([
      { key: 'state', operator: '=|', values: ['X', 'INV-1', 'PAY.2'] },
    ]);
  });

  it.each([
    ['=|', ['${many:csv}']],
    ['=|', ['[[many:json]]']],
    ['=', '${many:pipe}'],
  ])('have the values of a variable whatever its format: %s %j', (operator, text) => {
    const [value, values] = Array.isArray(text) ? [undefined, text] : [text];
    const expected = [{ key: 'state', operator: '=|', values: ['INV-1', 'PAY.2'] }];
    expect(filter(operator, value, values)).toEqual(expected);
    expect(filter(operator, '${everything:csv}')).toBeUndefined();
  });

  it('that are saved in other types are read if they have a variable, and else stay as they are', () => {
    const odd = [
      { key: 'totalItems', operator: '>', value: 0 },
      { key: 'state', operator: '=', value: ['$many'] },
      'state',
      null,
    ];
    expect(interpolated({ filters: odd as never }).filters).toEqual([
      odd[0],
      { key: 'state', operator: '=|', values: ['INV-1', 'PAY.2'] },
      ...odd.slice(2),
    ]);
  });

  it('escape values in a regular expression', () => {
    expect(filter('=~', '$many')).toEqual([{ key: 'state', operator: '=~', value: '(INV-1|PAY\\.2)' }]);
  });

  it.each(['=', '!=', '=~', '!~', '<'])('with %s are removed for All', (operator) => {
    expect(filter(operator, '$everything')).toBeUndefined();
  });

  it('remove a list that contains All', () => {
    expect(filter('=|', undefined, ['$everything', 'X'])).toBeUndefined();
  });

  it('are removed for an empty text box', () => {
    expect(filter('=', '$nothing')).toBeUndefined();
  });

  it.each(['$nothing', '$none'])('are removed if %s has no value, whatever the operator', (text) => {
    expect(operators.map((operator) => filter(operator, text))).toEqual(operators.map(() => undefined));
    expect(filter('=|', undefined, [text])).toBeUndefined();
    expect(filter('=|', undefined, [text, 'X', ''])).toEqual([{ key: 'state', operator: '=|', values: ['X', ''] }]);
  });

  it('take their operator from a variable, with the values that it takes', () => {
    expect(filter('$operator', 'X')).toEqual([{ key: 'state', operator: '!=|', values: ['X'] }]);
    expect(filter('$nothing', 'X')).toBeUndefined();
  });
});

it('replaces a column with several values, each once', () => {
  expect(interpolated({ columns: ['INV-1', '$many'] })).toEqual({ columns: ['INV-1', 'PAY.2'] });
});

it.each(['$everything', '$nothing', '$none'])('has neither columns nor groups for %s', (text) => {
  expect(interpolated({ columns: [text], groupBy: [text], sort: { field: '$nothing', order: 'asc' } })).toEqual({});
});
