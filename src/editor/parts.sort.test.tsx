import '../testing/dom';
import { screen, within } from '@testing-library/react';

import { createDataFrame, getDefaultTimeRange, LoadingState, type PanelData } from '@grafana/data';

import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { choose, edit, editMore, offered, only, option } from '../testing/editing';
import { QueryEditor } from './QueryEditor';
import { controls } from './parts';

const ids = selectors.query;
const Sort = only(controls.sort);
const control = (id: string) => screen.getByTestId(id);

it('sorts, in one order and the other, and no more', async () => {
  const { user, saved, onRunQuery } = await editMore(QueryEditor, { queryType: 'automations' });
  expect(screen.queryByTestId(ids.order)).not.toBeInTheDocument();
  await choose(user, control(ids.sort), 'taskCount');
  expect(saved.query.sort).toEqual({ field: 'taskCount', order: 'asc' });
  await user.click(within(control(ids.order)).getByRole('radio', { name: 'Descending' }));
  expect(saved.query.sort).toEqual({ field: 'taskCount', order: 'desc' });
  await choose(user, control(ids.sort), 'sumItems');
  expect(saved.query.sort).toEqual({ field: 'sumItems', order: 'desc' });
  await user.click(screen.getByRole('button', { name: 'Clear value' }));
  expect(saved.query).toEqual({ refId: 'A', queryType: 'automations' });
  expect(onRunQuery).toHaveBeenCalledTimes(4);
});

it('says what the order is without a sort', async () => {
  edit(Sort, { queryType: 'runners' });
  expect(control(ids.sort)).toHaveAttribute('placeholder', 'Tasks (Descending)');
});

it('sorts numbers by what they have', async () => {
  const { user } = edit(Sort, { format: 'numeric', measure: 'duration', groupBy: ['state'] });
  expect(control(ids.sort)).toHaveAttribute('placeholder', 'Largest first');
  expect(await offered(user, control(ids.sort))).toEqual(['Duration', 'State']);
});

describe('fields that no description has', () => {
  const data: PanelData = {
    state: LoadingState.Done,
    timeRange: getDefaultTimeRange(),
    series: [
      createDataFrame({ refId: 'A', fields: [{ name: '_id' }, { name: 'region' }] }),
      createDataFrame({ refId: 'B', fields: [{ name: '_id' }, { name: 'other' }] }),
      createDataFrame({ refId: 'A', fields: [{ name: 'Value' }] }),
    ],
  };

  it('are offered once a table had them', async () => {
    const { user, saved } = edit(Sort, { queryType: 'runners' }, { data });
    const names = await offered(user, control(ids.sort));
    expect(names).toContain('region');
    expect(names.join()).not.toMatch(/other|Value/);
    await user.click(await option('region'));
    expect(saved.query.sort?.field).toBe('region');
  });

  it('can be columns', async () => {
    const { user, saved } = edit(only(controls.columns), { queryType: 'runners' }, { data });
    await choose(user, control(ids.columns), 'region');
    await user.click(await option('_id'));
    expect(saved.query.columns).toEqual(['region', '_id']);
  });
});

it('offers the variables of the dashboard', async () => {
  const { datasource } = dataSourceWith([], { column: { value: 'tasks' } });
  const { user, saved } = edit(Sort, { queryType: 'runners' }, { datasource });
  await choose(user, control(ids.sort), '${column}');
  expect(saved.query.sort?.field).toBe('${column}');
});
