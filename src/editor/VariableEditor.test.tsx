import '../testing/dom';
import { screen, within } from '@testing-library/react';

import { type InsightsQuery, type InsightsVariableQuery } from '../query/query';
import { selectors } from '../selectors';
import { check, choose, edit, offered, option } from '../testing/editing';
import { VariableEditor } from './VariableEditor';

const ids = selectors.query;
const control = (id: string) => screen.getByTestId(id);

function editVariable(query: Partial<InsightsVariableQuery>) {
  return edit(VariableEditor, query as Partial<InsightsQuery>);
}

it('offers only fields with few values', async () => {
  const { user, saved } = editVariable({ queryType: 'tasks', field: 'activityLabel' });
  const names = await offered(user, control(ids.field));
  expect(names.join('\n')).toMatch(
    /^State.*\nFinish status.*\nAutomation.*\nRepository.*\nRunner.*\nTeam.*\nDeadlinesdeadlines · What must be done by when/
  );
  await user.click(await option('machineId'));
  expect(saved.query).toEqual({ refId: 'A', queryType: 'tasks', field: 'machineId' });
});

it('takes the key of another data set, and the filters that apply there; the others are named', async () => {
  const { user, saved } = editVariable({
    queryType: 'tasks',
    field: 'state',
    filters: [
      { key: 'state', operator: '=', value: 'START' },
      { key: 'repositoryLabel', operator: '=', value: '$repository' },
    ],
  });
  await check(user, ids.dataSet, 'Automations');
  expect(saved.query).toEqual({
    refId: 'A',
    queryType: 'automations',
    field: 'label',
    filters: [{ key: 'repositoryLabel', operator: '=', value: '$repository' }],
  });
  const reset = control(selectors.query.reset);
  expect(reset).toHaveTextContent(/^Reset, because it does not apply to Automations: Field, Filters$/);
  await user.click(within(reset).getByRole('button'));
  expect(screen.queryByTestId(selectors.query.reset)).not.toBeInTheDocument();
});

it('searches and looks back, when the fields are left', async () => {
  const { user, saved, changes } = editVariable({ queryType: 'runners', field: '_id' });
  await user.type(control(ids.search), ' bot ');
  expect(changes).toEqual([]);
  await user.tab();
  await user.type(control(ids.days), '90{Enter}');
  expect(saved.query).toEqual({ refId: 'A', queryType: 'runners', field: '_id', search: 'bot', days: 90 });
  await user.clear(control(ids.search));
  await user.clear(control(ids.days));
  await user.tab();
  expect(saved.query).toEqual({ refId: 'A', queryType: 'runners', field: '_id' });
});

it('filters by other variables', async () => {
  const { user, saved } = editVariable({ queryType: 'tasks', field: 'state' });
  await user.click(control(selectors.query.filterAdd));
  await choose(user, control(selectors.query.filterField(0)), 'repositoryLabel');
  await user.type(control(selectors.query.filterValue(0)), '$repository{Enter}');
  expect(saved.query.filters).toEqual([{ key: 'repositoryLabel', operator: '=', value: '$repository' }]);
  await user.click(control(selectors.query.filterRemove(0)));
  expect(saved.query).toEqual({ refId: 'A', queryType: 'tasks', field: 'state' });
});

it.each<[string, 'automations' | 'runners', string]>([
  ['repositoryLabel', 'automations', 'repositoryLabel'],
  ['$field', 'runners', '$field'],
])('keeps the field %s, which %s have', async (field, queryType, expected) => {
  const { user, saved } = editVariable({ queryType: 'tasks', field });
  await check(user, ids.dataSet, queryType === 'runners' ? 'Runners' : 'Automations');
  expect(saved.query).toEqual({ refId: 'A', queryType, field: expected });
  expect(screen.queryByTestId(selectors.query.reset)).not.toBeInTheDocument();
});

it.each(['tasks', 'automations'] as const)('lists teams: %s', async (queryType) => {
  const { user, saved } = editVariable({ queryType });
  await choose(user, control(ids.field), 'Team');
  expect(saved.query).toEqual({ refId: 'A', queryType, field: 'team' });
});

it('lists the automations that have a deadline', async () => {
  const { user, saved } = editVariable({ queryType: 'tasks' });
  await choose(user, control(ids.field), 'Deadlines');
  expect(saved.query).toEqual({ refId: 'A', queryType: 'tasks', field: 'deadlines' });
});
