import '../testing/dom';
import { screen } from '@testing-library/react';

import { type Filter } from '../query';
import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { choose, edit, offered } from '../testing/editing';
import { QueryEditor } from './QueryEditor';

const ids = selectors.query;
const control = (id: string) => screen.getByTestId(id);
const states = ['FINISHED', 'START'].map((value) => ({ value, text: value }));
const failed: Filter = { key: 'finishStatus', operator: '=', value: 'FAILED' };

it('is saved when it has a field and a value, not before', async () => {
  const { datasource, getResource } = dataSourceWith(states);
  const { user, saved, onRunQuery } = edit(QueryEditor, { days: 7 }, { datasource });
  await user.click(control(ids.filterAdd));
  await choose(user, control(ids.filterField(0)), 'state');
  expect(saved.query.filters).toBeUndefined();
  expect(onRunQuery).not.toHaveBeenCalled();

  await choose(user, control(ids.filterValue(0)), 'START');
  expect(getResource).toHaveBeenCalledWith(
    'values',
    { queryType: 'tasks', field: 'state', days: 7, search: undefined },
    { showErrorAlert: false }
  );
  expect(saved.query.filters).toEqual([{ key: 'state', operator: '=', value: 'START' }]);
  expect(onRunQuery).toHaveBeenCalledTimes(1);
});

it('takes any text as value', async () => {
  const { user, saved } = edit(QueryEditor, { filters: [failed] });
  await user.type(control(ids.filterValue(0)), '$status{Enter}');
  expect(saved.query.filters).toEqual([{ ...failed, value: '$status' }]);
});

it('offers Grafana’s operators', async () => {
  const { user } = edit(QueryEditor, { filters: [failed] });
  const names = await offered(user, control(ids.filterOperator(0)));
  expect(names).toHaveLength(10);
  expect(names).toContain('!=|Not one of');
});

it('keeps the value when the operator takes several, and the first when it takes one', async () => {
  const { user, saved } = edit(QueryEditor, { filters: [failed] });
  await choose(user, control(ids.filterOperator(0)), '=|');
  expect(saved.query.filters).toEqual([{ key: 'finishStatus', operator: '=|', values: ['FAILED'] }]);
  await user.type(control(ids.filterValue(0)), 'SUCCESS{Enter}');
  expect(saved.query.filters).toEqual([{ key: 'finishStatus', operator: '=|', values: ['FAILED', 'SUCCESS'] }]);
  await choose(user, control(ids.filterOperator(0)), '!=Does');
  expect(saved.query.filters).toEqual([{ ...failed, operator: '!=' }]);
});

it('takes several values from the list', async () => {
  const { datasource } = dataSourceWith(states);
  const filters: Filter[] = [{ key: 'state', operator: '=|', values: ['FINISHED'] }];
  const { user, saved } = edit(QueryEditor, { filters }, { datasource });
  await choose(user, control(ids.filterValue(0)), 'START');
  expect(saved.query.filters?.[0].values).toEqual(['FINISHED', 'START']);
});

it('finds rows without a value', async () => {
  const { user, saved } = edit(QueryEditor, { filters: [{ ...failed, key: 'machineId' }] });
  await choose(user, control(ids.filterValue(0)), '(no value)');
  expect(saved.query.filters).toEqual([{ key: 'machineId', operator: '=', value: '' }]);
  expect(control(ids.filterValue(0))).toHaveValue('(no value)');
});

it('suggests variables, but no numbers and times', async () => {
  const { datasource, getResource } = dataSourceWith(states, { from: { value: '3' } });
  const filters: Filter[] = [{ key: 'totalItems', operator: '>', value: '1' }];
  const { user, saved } = edit(QueryEditor, { filters }, { datasource });
  await choose(user, control(ids.filterValue(0)), '${from}');
  expect(saved.query.filters?.[0].value).toBe('${from}');
  expect(getResource).not.toHaveBeenCalled();
});

it('forgets the value with the field, and is not sent meanwhile', async () => {
  const { user, saved } = edit(QueryEditor, { filters: [failed] });
  await choose(user, control(ids.filterField(0)), 'state');
  expect(saved.query).toEqual({ refId: 'A' });
  expect(control(ids.filterField(0))).toHaveValue('state');
});

it('is removed, others stay', async () => {
  const other: Filter = { key: 'machineId', operator: '!=', value: '7' };
  const { user, saved } = edit(QueryEditor, { filters: [failed, other] });
  await user.click(control(ids.filterRemove(0)));
  expect(saved.query.filters).toEqual([other]);
  await user.click(control(ids.filterRemove(0)));
  expect(saved.query).toEqual({ refId: 'A' });
});

it('that is not complete does not survive another data set', async () => {
  const { user } = edit(QueryEditor);
  await user.click(control(ids.filterAdd));
  await choose(user, control(ids.dataSet), 'Runners');
  expect(screen.queryByTestId(ids.filterField(0))).not.toBeInTheDocument();
});
