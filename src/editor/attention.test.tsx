import '../testing/dom';
import { screen, within } from '@testing-library/react';

import { CoreApp, createDataFrame, FieldType, type PanelData } from '@grafana/data';

import { interpolateQuery } from '../query/interpolate';
import { type InsightsQuery } from '../query/query';
import { selectors } from '../selectors';
import { templatesWith } from '../testing/datasource';
import { check, choose, edit, editMore, offered, openMore, option } from '../testing/editing';
import { describeQuery } from '../query/texts';
import { QueryEditor } from './QueryEditor';

const ids = selectors.query;
const control = (id: string) => screen.getByTestId(id);
const formatNamed = (name: string) => within(control(ids.format)).getByRole('radio', { name });
const attention: Partial<InsightsQuery> = { queryType: 'tasks', format: 'attention' };

it('replaces what a table has, and has its own groups and reasons', async () => {
  const { user, saved } = edit(QueryEditor, { columns: ['id'], timeField: 'dateStartRunning', search: 'INV' });
  await user.click(formatNamed('Needs attention'));
  expect(saved.query).toEqual({ refId: 'A', format: 'attention', search: 'INV' });
  expect(control(ids.reset)).toHaveTextContent(/: Columns, Time field$/);
  expect(control(ids.more)).toHaveTextContent(/^MoreSearch: INV$/);

  await choose(user, control(ids.groupBy), 'machineId');
  expect(saved.query.groupBy).toEqual(['machineId']);
  await user.click(await option('activityLabel'));
  expect(saved.query.groupBy).toEqual(['activityLabel']);
  expect(describeQuery(saved.query)).toBe('Tasks · Needs attention · Automation · search INV');

  await openMore(user);
  expect([ids.measure, ids.sort, ids.timeField, ids.compare].map((id) => screen.queryByTestId(id))).toEqual(
    Array(4).fill(null)
  );
  await choose(user, control(ids.sensitivity), 'more');
  await choose(user, control(ids.reasons), 'waiting');
  expect(saved.query.attention).toEqual({ sensitivity: 'more', waiting: 0 });
  await user.type(control(ids.ignore), 'old-intake{Enter}');
  expect(saved.query.attention).toEqual({ sensitivity: 'more', waiting: 0, ignore: ['old-intake'] });
  await choose(user, control(ids.sensitivity), 'usual');
  await choose(user, control(ids.reasons), 'waiting');
  expect(saved.query.attention).toEqual({ ignore: ['old-intake'] });

  await user.click(formatNamed('Number'));
  expect(saved.query).toEqual({ refId: 'A', format: 'numeric', measure: 'tasks', search: 'INV' });
  expect(control(ids.reset)).toHaveTextContent(/: Group by, Sensitivity and reasons$/);
});

it('groups automations, but no runners, by their team, too', async () => {
  const { user, saved } = edit(QueryEditor, attention);
  await choose(user, control(ids.groupBy), 'team');
  expect(saved.query.groupBy).toEqual(['activityLabel', 'team']);
  await user.click(await option('dataSource'));
  expect(saved.query.groupBy).toEqual(['activityLabel', 'team', 'dataSource']);
  await user.click(await option('machineId'));
  expect(saved.query.groupBy).toEqual(['dataSource', 'machineId']);
});

it('lists what is judged while More is closed', () => {
  edit(QueryEditor, { ...attention, attention: { sensitivity: 'fewer', slow: 0, empty: 0, ignore: ['a', 'b'] } });
  expect(control(ids.more)).toHaveTextContent(
    /^MoreSensitivity: Fewer · Reasons: Failing, Silent, Waiting, Late · Ignore: a, b$/
  );
});

it('shows a variable that can switch a reason off, keeps it and whatever else is saved, and removes it', async () => {
  const { user, saved } = await editMore(QueryEditor, { ...attention, attention: { failing: '${x}', failures: 5 } });
  expect(control(ids.reasons).closest('div')).toHaveTextContent('Failing (${x})');
  await choose(user, control(ids.reasons), 'waiting');
  expect(saved.query.attention).toEqual({ failing: '${x}', failures: 5, waiting: 0 });
  await user.click(screen.getByRole('button', { name: 'Remove Failing (${x})' }));
  expect(saved.query.attention).toEqual({ failing: 0, failures: 5, waiting: 0 });
  expect(screen.queryByRole('button', { name: /Failing/ })).toBeNull();
  await user.type(control(ids.reasons), 'failing{Enter}');
  expect(saved.query.attention).toEqual({ failures: 5, waiting: 0 });
});

it('has a row for each runner on request, where runners are judged', async () => {
  const judged = { ...attention, attention: { all: true, slow: 0 } };
  const { user, saved } = await editMore(QueryEditor, { ...judged, groupBy: ['machineId'] });
  await check(user, ids.all, 'Needs attention');
  expect(saved.query.attention).toEqual({ slow: 0 });
  await check(user, ids.all, 'All');
  expect(saved.query.attention).toEqual({ slow: 0, all: true });
  await choose(user, control(ids.reasons), 'waiting');
  expect(saved.query.attention).toEqual({ slow: 0, waiting: 0, all: true });
  await user.click(control(ids.more));
  expect(control(ids.more)).toHaveTextContent('Runners: All');
  expect(control(ids.more)).toHaveTextContent(/Reasons: Failing, Empty/);
});

it('lists a variable of a reason while More is closed', () => {
  edit(QueryEditor, { ...attention, attention: { slow: '$slow' } });
  expect(control(ids.more)).toHaveTextContent(/^MoreReasons: Failing, .*Slow \(\$slow\)/);
});

it('is offered for tasks, by automation or runner, also in a rule, with its severity now', async () => {
  const severity = { name: 'severity', type: FieldType.number, values: [3] };
  const data = { series: [createDataFrame({ refId: 'A', fields: [severity] })] } as unknown as PanelData;
  const { user } = await editMore(QueryEditor, attention, { app: CoreApp.UnifiedAlerting, data });
  expect(formatNamed('Needs attention')).toBeChecked();
  expect(control(ids.formatHelp)).toHaveTextContent('1 to 3, or 0 if nothing needs attention');
  expect(control(ids.conditionHelp)).toHaveTextContent('The query currently returns 3');
  expect(await offered(user, control(ids.groupBy))).toEqual([
    expect.stringMatching(/^Automation/),
    expect.stringMatching(/^Runner/),
    expect.stringMatching(/^Organization/),
    expect.stringMatching(/^Data source/),
    expect.stringMatching(/^Team/),
  ]);
});

it('takes variables, of which one without a value leaves the default', () => {
  const templates = templatesWith({ level: { value: 'more' }, none: { value: '' }, old: { value: ['a', 'b'] } });
  const judged = { sensitivity: '$level', slow: '$none', waiting: 0, ignore: ['$old', 'c'] };
  expect(interpolateQuery({ refId: 'A', ...attention, attention: judged }, {}, templates).attention).toEqual({
    sensitivity: 'more',
    slow: '',
    waiting: 0,
    ignore: ['a', 'b', 'c'],
  });
});
