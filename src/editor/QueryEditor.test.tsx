import '../testing/dom';
import { act, screen, within } from '@testing-library/react';
import { type UserEvent } from '@testing-library/user-event';

import { CoreApp, dateTime, FieldType, LoadingState, type PanelData, type TimeRange } from '@grafana/data';

import { type InsightsQuery, taskColumns } from '../query/query';
import { selectors } from '../selectors';
import { check, choose, edit, editMore, offered, openMore, option } from '../testing/editing';
import { panelWith } from '../testing/panel';
import { QueryEditor } from './QueryEditor';

const ids = selectors.query;
const control = (id: string) => screen.getByTestId(id);
const radio = (id: string, name: string) => within(control(id)).getByRole('radio', { name });

describe('a new query', () => {
  it('is a table of tasks, without a default being saved', async () => {
    const { changes } = await editMore(QueryEditor);
    expect(radio(ids.dataSet, 'Tasks')).toBeChecked();
    expect(radio(ids.format, 'Table')).toBeChecked();
    expect(control(ids.timeField)).toHaveValue('Created');
    expect(changes).toEqual([]);
  });

  it('has a label for every control', async () => {
    await editMore(QueryEditor);
    for (const label of ['Last days', 'Search', 'Sort by', 'Columns', 'Rows', 'Time field']) {
      expect(screen.getByLabelText(label)).toBeInTheDocument();
    }
    for (const name of ['Data set', 'Show as']) {
      expect(screen.getByRole('radiogroup', { name })).toBeInTheDocument();
    }
  });
});

it.each<Partial<InsightsQuery>>([
  {},
  { format: 'numeric', measure: 'tasks', filters: [{ key: 'state', operator: '=|' }] },
])('has no label that refers to nothing: %j', async (query) => {
  const { container } = await editMore(QueryEditor, query);
  const labels = [...container.querySelectorAll('label')];
  expect(labels.length).toBeGreaterThan(5);
  const named = (id: string) => container.ownerDocument.getElementById(id);
  expect(labels.filter(({ htmlFor }) => htmlFor && !named(htmlFor)).map(({ textContent }) => textContent)).toEqual([]);
});

it('shows a format and an order that are variables, and every control that they may need', async () => {
  const query = { format: '$format', measure: 'tasks', sort: { field: 'tasks', order: '$order' } } as never;
  await editMore(QueryEditor, query);
  expect(radio(ids.format, '$format')).toBeChecked();
  expect(radio(ids.order, '$order')).toBeChecked();
  for (const id of [ids.columns, ids.measure, ids.groupBy]) {
    expect(control(id)).toBeInTheDocument();
  }
});

describe('data set', () => {
  it('is changed and run, and names what that reset', async () => {
    const { user, saved, onRunQuery } = edit(QueryEditor, {
      sort: { field: 'totalItems', order: 'desc' },
      columns: ['id', 'machineId'],
      days: 7,
    });
    await check(user, ids.dataSet, 'Automations');
    expect(saved.query).toEqual({ refId: 'A', queryType: 'automations', columns: ['machineId'], days: 7 });
    expect(onRunQuery).toHaveBeenCalledTimes(1);
    const alert = control(ids.reset);
    expect(alert).toHaveTextContent(
      /^Reset, because it does not apply to Automations shown as Table: Columns, Sort by$/
    );

    await user.click(within(alert).getByRole('button'));
    expect(screen.queryByTestId(ids.reset)).not.toBeInTheDocument();
  });

  it('says nothing when nothing was reset', async () => {
    const { user } = edit(QueryEditor, { days: 7 });
    await check(user, ids.dataSet, 'Runners');
    expect(screen.queryByTestId(ids.reset)).not.toBeInTheDocument();
  });

  it('is shown as it was saved, even if there is none of that name', () => {
    edit(QueryEditor, { queryType: 'robots' as InsightsQuery['queryType'] });
    expect(radio(ids.dataSet, 'robots')).toBeChecked();
  });
});

describe('format', () => {
  it('decides which controls there are', async () => {
    const { user, saved } = await editMore(QueryEditor);
    expect(screen.queryByTestId(ids.measure)).not.toBeInTheDocument();
    await user.click(radio(ids.format, 'Number'));
    expect(saved.query).toEqual({ refId: 'A', format: 'numeric', measure: 'tasks' });
    expect(screen.queryByTestId(ids.columns)).not.toBeInTheDocument();
    expect(screen.getByLabelText('Groups')).toBeInTheDocument();
    await user.click(radio(ids.format, 'Time series'));
    expect(saved.query.format).toBe('timeseries');
    expect(screen.getByLabelText('Series')).toBeInTheDocument();
    await user.click(radio(ids.format, 'Table'));
    expect(saved.query).toEqual({ refId: 'A', columns: taskColumns });
    expect(control(ids.reset)).toHaveTextContent(/: Measure$/);
  });

  it('is a line of what adds up over time, with what a point is', async () => {
    const { user, saved } = edit(QueryEditor, { queryType: 'automations' });
    await user.click(radio(ids.format, 'Time series'));
    expect(saved.query).toEqual({ refId: 'A', queryType: 'automations', format: 'timeseries', measure: 'taskCount' });
    expect(control(ids.stepHelp)).toHaveTextContent('whole days of 24 hours');
    expect(control(ids.stepHelp)).toHaveTextContent('for rates, show as Number');
    expect(await offered(user, control(ids.measure))).toEqual([
      expect.stringContaining('taskCount'),
      expect.stringContaining('sumItems'),
      expect.stringContaining('sumItemsError'),
      expect.stringContaining('sumItemsProcessed'),
      expect.stringContaining('savings'),
    ]);
  });

  it('of tasks is a line of any interval', () => {
    edit(QueryEditor, { format: 'timeseries', measure: 'tasks' });
    expect(screen.queryByTestId(ids.stepHelp)).not.toBeInTheDocument();
  });
});

describe('a timeline', () => {
  it('has lanes and bars, and neither a sort nor a time field', async () => {
    const { user, saved } = await editMore(QueryEditor);
    await user.click(radio(ids.format, 'Timeline'));
    expect(saved.query).toEqual({ refId: 'A', format: 'timeline' });
    expect(screen.getByLabelText('Bars')).toHaveValue('Automation');
    expect(screen.getByLabelText('Lanes')).toBeInTheDocument();
    expect(screen.getByLabelText('Max lanes')).toBeInTheDocument();
    expect(control(ids.formatHelp)).toHaveTextContent('Time in the queue is not shown');
    for (const id of [ids.columns, ids.measure, ids.sort, ids.timeField]) {
      expect(screen.queryByTestId(id)).not.toBeInTheDocument();
    }
    await choose(user, control(ids.state), 'Finish status');
    await choose(user, control(ids.groupBy), 'Repository');
    expect(saved.query).toEqual({
      refId: 'A',
      format: 'timeline',
      state: 'finishStatus',
      groupBy: ['repositoryLabel'],
    });
    await choose(user, control(ids.state), 'Automation');
    expect(saved.query).not.toHaveProperty('state');
  });

  it('is not offered to a rule, which needs numbers', () => {
    edit(QueryEditor, { format: 'numeric', measure: 'tasks' }, { app: CoreApp.UnifiedAlerting });
    expect(within(control(ids.format)).queryByRole('radio', { name: 'Timeline' })).not.toBeInTheDocument();
  });

  it('is not offered for totals, and says so when the data set changes', async () => {
    const { user, saved } = edit(QueryEditor, { format: 'timeline' });
    await check(user, ids.dataSet, 'Runners');
    expect(saved.query).toEqual({ refId: 'A', queryType: 'runners' });
    expect(control(ids.reset)).toHaveTextContent(/Runners shown as Table: Show as$/);
    expect(within(control(ids.format)).queryByRole('radio', { name: 'Timeline' })).not.toBeInTheDocument();
  });
});

describe('days', () => {
  it('run on Enter and when the field is left, not while typing', async () => {
    const { user, saved, onRunQuery } = await editMore(QueryEditor);
    await user.type(control(ids.days), '30');
    expect(onRunQuery).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(saved.query).toEqual({ refId: 'A', days: 30 });
    await user.clear(control(ids.days));
    await user.tab();
    expect(saved.query).toEqual({ refId: 'A' });
    expect(onRunQuery).toHaveBeenCalledTimes(2);
  });

  it('that are no whole number are refused by name and do not run', async () => {
    const text = '1.5';
    const { user, changes, onRunQuery } = await editMore(QueryEditor, { days: 7 });
    await user.clear(control(ids.days));
    await user.type(control(ids.days), `${text}{Enter}`);
    expect(screen.getByText(`"${text}" is not allowed: enter a whole number of at least 1`)).toBeInTheDocument();
    expect(control(ids.days)).toHaveValue(text);
    expect(changes).toEqual([]);
    expect(onRunQuery).not.toHaveBeenCalled();
  });

  it('that were refused give way to those of a preset', async () => {
    const { user } = await editMore(QueryEditor, { days: 7 });
    await user.type(control(ids.days), 'x{Enter}');
    await user.click(control(ids.presets));
    await user.click(await screen.findByTestId(ids.preset('success-rate')));
    expect(control(ids.days)).toHaveValue('');
    expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
  });
});

describe('rows', () => {
  it('are a whole number or nothing', async () => {
    const { user, saved } = await editMore(QueryEditor);
    await user.type(control(ids.limit), '0{Enter}');
    expect(screen.getByText(/"0" is not allowed/)).toBeInTheDocument();
    expect(saved.query).toEqual({ refId: 'A' });
    await user.type(control(ids.limit), '{Home}1{Enter}');
    expect(saved.query).toEqual({ refId: 'A', limit: 10 });
  });
});

describe('measure', () => {
  // Made for each test: a minute after it was made, the range begins more than seven days ago.
  const lastWeek = () => ({ from: dateTime().subtract(7, 'days'), to: dateTime() }) as TimeRange;

  it('of the service says whose scale a threshold is in', () => {
    edit(QueryEditor, { queryType: 'automations', format: 'numeric', measure: 'successRate' }, { range: lastWeek() });
    expect(control(ids.measureHelp)).toHaveTextContent(
      'Success rate as the service reports it, on its own scale. Calculated by the service over 7 days. ' +
        "Thresholds apply to the service's own number."
    );
  });

  it.each([
    ['successRate', 'SUCCESS divided by those that finished or timed out, 0 to 1'],
    ['itemSuccessRate', 'Processed items divided by all items, 0 to 1'],
  ])('%s of tasks says what it divides', (measure, text) => {
    edit(QueryEditor, { format: 'numeric', measure });
    expect(control(ids.measureHelp)).toHaveTextContent(text);
  });

  it('that is a sum of the service says over how many days', () => {
    edit(QueryEditor, { queryType: 'runners', format: 'numeric', measure: 'tasks', days: 90 });
    expect(control(ids.measureHelp)).toHaveTextContent('Calculated by the service over 90 days.');
  });

  it('is chosen from those of the data set', async () => {
    const { user, saved } = edit(QueryEditor, { format: 'numeric', measure: 'tasks' });
    await choose(user, control(ids.measure), 'Mean queue time');
    expect(saved.query.measure).toBe('queueTime');
  });

  it('takes the sort along that is gone', async () => {
    const sort = { field: 'tasks', order: 'desc' as const };
    const { user, saved } = edit(QueryEditor, { format: 'numeric', measure: 'tasks', sort });
    await choose(user, control(ids.measure), 'Mean duration');
    expect(saved.query).toEqual({ refId: 'A', format: 'numeric', measure: 'duration' });
    expect(control(ids.reset)).toHaveTextContent(/: Sort by$/);
  });
});

it('groups only by fields with few values', async () => {
  const { user, saved } = edit(QueryEditor, { format: 'numeric', measure: 'tasks' });
  const names = await offered(user, control(ids.groupBy));
  expect(names.join()).toMatch(/state.*repositoryLabel/);
  expect(names.join()).not.toMatch(/dateCreation|totalItems/);
  await user.click(await option('machineId'));
  expect(saved.query.groupBy).toEqual(['machineId']);
});

describe('time field', () => {
  it('is one of the times of a task, and not saved when it is the default', async () => {
    const { user, saved } = await editMore(QueryEditor);
    await choose(user, control(ids.timeField), 'dateLastModified');
    expect(saved.query.timeField).toBe('dateLastModified');
    await choose(user, control(ids.timeField), 'dateCreation');
    expect(saved.query).toEqual({ refId: 'A' });
  });

  it('is not there for sums, which have no time', async () => {
    await editMore(QueryEditor, { queryType: 'runners' });
    expect(screen.queryByTestId(ids.timeField)).not.toBeInTheDocument();
  });
});

it('says where the time field has no effect', async () => {
  const hint = 'No effect: this measure depends on when tasks ran';
  const { unmount } = await editMore(QueryEditor, { format: 'timeseries', measure: 'tasks' });
  expect(screen.queryByText(hint)).not.toBeInTheDocument();
  unmount();
  await editMore(QueryEditor, { format: 'timeseries', measure: 'occupancy' });
  expect(screen.getByText(hint)).toBeInTheDocument();
});

describe('compare and per', () => {
  const sums: Partial<InsightsQuery> = { queryType: 'automations', format: 'timeseries', measure: 'savings' };

  it('are saved when they are chosen, and removed again', async () => {
    const { user, saved } = await editMore(QueryEditor, { format: 'timeseries', measure: 'tasks' });
    await choose(user, control(ids.compare), 'Previous week');
    await choose(user, control(ids.per), 'Hour');
    expect(saved.query).toMatchObject({ compare: 'week', per: 'hour' });
    await choose(user, control(ids.per), 'Auto (interval)');
    await user.click(screen.getByRole('button', { name: 'Clear value' }));
    expect(saved.query).toEqual({ refId: 'A', format: 'timeseries', measure: 'tasks' });
  });

  it.each<[Partial<InsightsQuery>, boolean, boolean]>([
    [{}, false, false],
    [{ format: 'numeric', measure: 'tasks' }, true, false],
    [{ format: 'numeric', measure: 'oldestQueued' }, false, false],
    [{ format: 'timeseries', measure: 'oldestQueued' }, false, true],
    [sums, true, true],
    [{ ...sums, format: 'numeric', measure: 'roi' }, false, false],
  ])('are there where they apply: %j', async (query, compare, per) => {
    await editMore(QueryEditor, query);
    expect([ids.compare, ids.per].map((id) => screen.queryByTestId(id) !== null)).toEqual([compare, per]);
  });

  it('offer no hours for sums, and say what a month of them is', async () => {
    const { user } = edit(QueryEditor, { ...sums, per: 'month' });
    expect(control(ids.stepHelp)).toHaveTextContent('a week is 7 days, and a month 30.');
    const units = (await offered(user, control(ids.per))).join();
    expect(units).toMatch(/Auto.*Day.*Week.*Month/);
    expect(units).not.toMatch(/Hour/);
  });
});

describe('More', () => {
  const summary = () => control(ids.more).textContent;

  it('is closed at first, and names what is in it', () => {
    edit(QueryEditor);
    expect(summary()).toBe('MoreLast days · Search · Sort by · Rows · Time field');
    expect(screen.queryByTestId(ids.days)).not.toBeInTheDocument();
  });

  it.each<[Partial<InsightsQuery>, string]>([
    [{ queryType: 'runners' }, 'Last days · Search · Sort by · Rows'],
    [{ format: 'timeseries', measure: 'tasks' }, 'Compare with · Last days · Search · Sort by · Series · Time field'],
    [
      { days: 30, limit: 10, sort: { field: 'state', order: 'desc' } },
      'Last days: 30 · Sort by: State (Descending) · Rows: 10',
    ],
    [{ search: '$automation', timeField: 'dateStartRunning' }, 'Search: $automation · Time field: Started'],
    [{ format: 'numeric', measure: 'tasks', compare: 'week' }, 'Compare with: Previous week'],
    [{ format: 'numeric', measure: 'tasks', compare: '$compare' as never }, 'Compare with: $compare'],
  ])('hides nothing that is set: %j', (query, text) => {
    edit(QueryEditor, query);
    expect(summary()).toBe(`More${text}`);
  });

  it('shows its controls instead while it is open', async () => {
    await editMore(QueryEditor, { days: 30 });
    expect(summary()).toBe('More');
    expect(control(ids.days)).toHaveValue('30');
  });
});

it('fills itself from a preset in one click', async () => {
  const { user, saved, onRunQuery } = edit(QueryEditor, { search: 'x', columns: ['id'] });
  await user.click(control(ids.presets));
  await user.click(await screen.findByTestId(ids.preset('success-rate')));
  expect(saved.query).toEqual({
    refId: 'A',
    queryType: 'tasks',
    format: 'numeric',
    measure: 'successRate',
    groupBy: ['activityLabel'],
    sort: { field: 'successRate', order: 'asc' },
  });
  // It leads on, to what changed.
  expect(control(ids.more)).toHaveTextContent('Success rate of tasks (Ascending)');
  await openMore(user);
  await choose(user, control(ids.compare), 'Previous period');
  expect(saved.query.compare).toBe('previous');
  expect(onRunQuery).toHaveBeenCalledTimes(2);
});

describe('a new rule', () => {
  const empty: InsightsQuery = { refId: 'A' };

  it.each([CoreApp.UnifiedAlerting, CoreApp.CloudAlerting])(
    'saves and runs what a new rule of %s asks, once',
    (app) => {
      const { saved, changes, onRunQuery } = edit(QueryEditor, empty, { app });
      expect(saved.query).toEqual({
        refId: 'A',
        queryType: 'automations',
        days: 7,
        format: 'numeric',
        measure: 'successRate',
        groupBy: ['label'],
        filters: [{ key: 'taskCount', operator: '>', value: '0' }],
      });
      expect(changes).toHaveLength(1);
      expect(onRunQuery).toHaveBeenCalledTimes(1);
    }
  );

  it('leaves a saved rule, or one made from a panel, as it is, and runs it once for its current result', () => {
    const query: Partial<InsightsQuery> = { queryType: 'tasks', format: 'numeric', measure: 'failedTasks' };
    const { changes, onRunQuery } = edit(QueryEditor, query, { app: CoreApp.UnifiedAlerting });
    expect(changes).toEqual([]);
    expect(onRunQuery).toHaveBeenCalledTimes(1);
  });

  it('does not run a rule again whose result is there', () => {
    const data = { series: [{ refId: 'A', fields: [], length: 0 }] } as unknown as PanelData;
    const query: Partial<InsightsQuery> = { queryType: 'tasks', format: 'numeric', measure: 'failedTasks' };
    expect(edit(QueryEditor, query, { app: CoreApp.UnifiedAlerting, data }).onRunQuery).not.toHaveBeenCalled();
  });
});

it.each([
  [CoreApp.UnifiedAlerting, true],
  [CoreApp.PanelEditor, false],
])('says in %s what a condition is about: %s', (app, says) => {
  const fields = [{ name: 'successRate', type: FieldType.number, config: {}, values: [0.5] }];
  const data = { series: [{ refId: 'A', fields, length: 1 }] } as unknown as PanelData;
  edit(QueryEditor, { queryType: 'automations', format: 'numeric', measure: 'successRate' }, { app, data });
  expect(screen.queryAllByTestId(ids.conditionHelp)).toHaveLength(says ? 1 : 0);
});

describe('a starter query', () => {
  /** A panel whose next visualization loads when told so. */
  function slowPanel(query: Partial<InsightsQuery>, pluginId = 'timeseries') {
    const { request, panel, become } = panelWith({ pluginId }, query);
    let loaded: () => void = () => undefined;
    panel.changePluginType.mockImplementationOnce(
      () => new Promise<undefined>((resolve) => (loaded = () => resolve(undefined)))
    );
    const data = { state: LoadingState.Done, series: [], request } as unknown as PanelData;
    return { ...edit(QueryEditor, query, { data }), panel, become, load: () => act(async () => loaded()) };
  }
  const start = async (user: UserEvent, name: string) => {
    await user.click(control(ids.presets));
    await user.click(await screen.findByTestId(ids.preset(name)));
  };

  it('is the one that was selected last, however long the visualization of another one loads', async () => {
    const { user, saved, panel, load } = slowPanel({ queryType: 'automations' });
    await start(user, 'runner-timeline');
    await start(user, 'success-rate');
    expect(saved.query.measure).toBe('successRate');
    await load();
    expect(saved.query.measure).toBe('successRate');
    expect(panel.changePluginType.mock.calls.map(([id]: string[]) => id)).toEqual(['state-timeline', 'bargauge']);
  });

  it('keeps what is changed while its visualization loads', async () => {
    const { user, saved, load } = slowPanel({ queryType: 'automations' });
    await start(user, 'runner-timeline');
    await check(user, ids.dataSet, 'Runners');
    await load();
    expect(saved.query.queryType).toBe('runners');
  });

  it('also replaces what was typed and not saved', async () => {
    const { user } = await editMore(QueryEditor);
    await user.type(control(ids.days), 'abc{Enter}');
    await start(user, 'needs-attention');
    expect(control(ids.days)).toHaveValue('');
    expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
  });

  it('is not offered to a rule that would refuse it', async () => {
    const query: Partial<InsightsQuery> = { format: 'numeric', measure: 'tasks' };
    const { user } = edit(QueryEditor, query, { app: CoreApp.UnifiedAlerting });
    await user.click(control(ids.presets));
    expect(await screen.findByTestId(ids.preset('success-rate'))).toBeInTheDocument();
    expect(screen.queryByTestId(ids.preset('runner-timeline'))).not.toBeInTheDocument();
  });
});

describe('what is saved without an effect', () => {
  it.each<[Partial<InsightsQuery>, string]>([
    [{ compare: 'week' }, 'Compare with'],
    [{ format: 'numeric', measure: 'oldestQueued', compare: 'week' }, 'Compare with'],
    [{ format: '${format}' as never, measure: 'tasks', compare: 'week' }, 'Compare with'],
    [{ format: 'numeric', measure: 'tasks', per: 'day' }, 'One point per'],
    [{ measure: 'tasks' }, 'Measure'],
    [{ state: 'activityLabel' }, 'Bars'],
    [{ groupBy: ['machineId'] }, 'Group by'],
    [{ format: 'numeric', measure: 'tasks', columns: ['id'] }, 'Columns'],
    [{ format: 'attention', timeField: 'dateCreation' }, 'Time field'],
    [{ format: 'attention', sort: { field: 'id', order: 'asc' } }, 'Sort by'],
    [{ queryType: 'runners', timeField: 'dateCreation' }, 'Time field'],
  ])('is shown and can be removed: %j', async (query, label) => {
    const [name] = Object.keys(query).slice(-1);
    const { user, saved } = await editMore(QueryEditor, query);
    // Other controls can be cleared as well: its own button is the nearest.
    const clears = (node: HTMLElement) => within(node).queryAllByRole('button', { name: /Clear/ });
    let field = screen.getByLabelText(label);
    while (clears(field).length === 0) {
      field = field.parentElement!;
    }
    await user.click(clears(field)[0]);
    expect(saved.query).not.toHaveProperty(name);
  });

  it('has no control and no place in the heading if it is not saved', async () => {
    const { user } = edit(QueryEditor, { format: 'attention' });
    expect(control(ids.more)).not.toHaveTextContent('Time field');
    await user.click(radio(ids.format, 'Table'));
    expect(control(ids.more)).not.toHaveTextContent('Sensitivity');
    await openMore(user);
    expect(screen.queryByTestId(ids.compare)).not.toBeInTheDocument();
  });

  it('such as a time zone, which has no other control, can be seen and removed', async () => {
    const { user, saved } = await editMore(QueryEditor, { timezone: 'America/Sao_Paulo' });
    expect(screen.getByLabelText('Time zone')).toHaveValue('America/Sao_Paulo');
    await user.clear(control(ids.timezone));
    await user.tab();
    expect(saved.query).toEqual({ refId: 'A' });
    expect(screen.queryByTestId(ids.timezone)).not.toBeInTheDocument();
  });
});

it('replaces a data set that cannot be read', async () => {
  const { user, saved } = edit(QueryEditor, { queryType: { name: 'tasks' } as never });
  await check(user, ids.dataSet, 'Runners');
  expect(saved.query.queryType).toBe('runners');
});

it('finds the measure that is called like what is typed first', async () => {
  const { user, saved } = edit(QueryEditor, { format: 'numeric', measure: 'tasks' });
  await user.click(control(ids.measure));
  await user.keyboard('queued{Enter}');
  expect(saved.query.measure).toBe('queued');
});

describe('in a panel that cannot draw the query', () => {
  const panelData = (pluginId: string, query: Partial<InsightsQuery>) => {
    const shown = panelWith({ pluginId }, query);
    return { ...shown, data: { state: LoadingState.Done, series: [], request: shown.request } as unknown as PanelData };
  };

  it.each<[Partial<InsightsQuery>, string, string]>([
    [{}, 'timeseries', 'Table'],
    [{ format: 'attention' }, 'state-timeline', 'Table'],
    [{ format: 'timeline', compare: 'week' }, 'timeseries', 'State timeline'],
    [{ format: 'numeric', measure: 'tasks' }, 'timeseries', 'Stat'],
  ])('%j in %s names %s, and switches to it', async (query, pluginId, name) => {
    const { data, panel, become } = panelData(pluginId, query);
    const { user, changes } = edit(QueryEditor, query, { data });
    expect(control(ids.drawnBy)).toHaveTextContent(`Drawn by ${name}`);
    await user.click(screen.getByRole('button', { name: `Switch to ${name}` }));
    expect(panel.changePluginType).toHaveBeenCalledTimes(1);
    act(() => become({ pluginId: String((panel.changePluginType.mock.calls as unknown[][])[0][0]) }));
    expect(screen.queryByTestId(ids.drawnBy)).not.toBeInTheDocument();
    expect(document.body).not.toHaveFocus();
    expect(changes).toEqual([]);
  });

  it.each<[Partial<InsightsQuery>, string]>([
    [{}, 'table'],
    [{ format: 'timeseries', measure: 'tasks' }, 'stat'],
    [{ format: 'numeric', measure: 'tasks', compare: 'week' }, 'timeseries'],
    [{ format: 'timeline' }, 'state-timeline'],
    [{ format: 'timeline' }, 'somebody-elses-panel'],
  ])('nothing is said of what can, or may: %j in %s', (query, pluginId) => {
    edit(QueryEditor, query, { data: panelData(pluginId, query).data });
    expect(screen.queryByTestId(ids.drawnBy)).not.toBeInTheDocument();
  });

  it('nothing is said outside of panels', () => {
    edit(QueryEditor, { format: 'timeline' });
    expect(screen.queryByTestId(ids.drawnBy)).not.toBeInTheDocument();
  });
});
