import '../testing/dom';
import { screen, within } from '@testing-library/react';

import { CoreApp, createDataFrame, FieldType, type PanelData } from '@grafana/data';

import { interpolateQuery } from '../interpolate';
import { type InsightsQuery } from '../query';
import { selectors } from '../selectors';
import { templatesWith } from '../testing/datasource';
import { choose, edit, editMore, offered, openMore, option } from '../testing/editing';
import { describeQuery } from '../texts';
import { QueryEditor } from './QueryEditor';

const ids = selectors.query;
const control = (id: string) => screen.getByTestId(id);
const formatNamed = (name: string) => within(control(ids.format)).getByRole('radio', { name });
const attention: Partial<InsightsQuery> = { queryType: 'tasks', format: 'attention' };

it('replaces what a table has, and has its own groups and thresholds', async () => {
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
  expect(control(ids.threshold('waiting'))).toHaveAttribute('placeholder', '30 min');
  await user.type(control(ids.threshold('waiting')), '45{Tab}');
  await user.type(control(ids.threshold('slow')), '0{Tab}');
  await user.type(control(ids.threshold('failures')), '$failures{Tab}');
  expect(saved.query.attention).toEqual({ waiting: 45, slow: 0, failures: '$failures' });
  await user.clear(control(ids.threshold('failures')));
  await user.tab();
  expect(saved.query.attention).toEqual({ waiting: 45, slow: 0 });

  await user.click(formatNamed('Number'));
  expect(saved.query).toEqual({ refId: 'A', format: 'numeric', measure: 'tasks', search: 'INV' });
  expect(control(ids.reset)).toHaveTextContent(/: Group by, Thresholds$/);
});

it('lists its thresholds while More is closed', () => {
  edit(QueryEditor, { ...attention, attention: { waiting: '$minutes' } });
  expect(control(ids.more)).toHaveTextContent(/^MoreLong wait: \$minutes$/);
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
  ]);
});

it('takes variables, of which one without a value leaves the default', () => {
  const templates = templatesWith({ limit: { value: '5' }, none: { value: '' } });
  const thresholds = { failures: '$limit', slow: '$none', waiting: 45 };
  expect(interpolateQuery({ refId: 'A', ...attention, attention: thresholds }, {}, templates).attention).toEqual({
    failures: '5',
    slow: '',
    waiting: 45,
  });
});
