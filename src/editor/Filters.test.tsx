import '../testing/dom';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { type Filter, isMultiValue, operators } from '../query/query';
import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { check, choose, controlFor, edit, offered, only, option } from '../testing/editing';
import { Filters, FilterValue, isComplete, newFilter, withKey, withOperator } from './Filters';
import { QueryEditor } from './QueryEditor';

const ids = selectors.query;
const Rows = only(Filters);
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

it('takes a variable as value', async () => {
  const { user, saved } = edit(Rows, { filters: [failed] });
  await user.clear(control(ids.filterValue(0)));
  await user.type(control(ids.filterValue(0)), '$status{Enter}');
  await waitFor(() => expect(saved.query.filters).toEqual([{ ...failed, value: '$status' }]));
});

it("offers Grafana's operators", async () => {
  const { user } = edit(Rows, { filters: [failed] });
  const names = await offered(user, control(ids.filterOperator(0)));
  expect(names).toHaveLength(10);
  expect(names).toContain('!=| Not one of');
});

it('keeps the value when the operator takes several, and the first when it takes one', async () => {
  const { user, saved } = edit(Rows, { filters: [failed] });
  await choose(user, control(ids.filterOperator(0)), '=|');
  expect(saved.query.filters).toEqual([{ key: 'finishStatus', operator: '=|', values: ['FAILED'] }]);
  await user.type(control(ids.filterValue(0)), 'SUCCESS{Enter}');
  const values = ['FAILED', 'SUCCESS'];
  await waitFor(() => expect(saved.query.filters).toEqual([{ key: 'finishStatus', operator: '=|', values }]));
  await choose(user, control(ids.filterOperator(0)), '!= Does');
  expect(saved.query.filters).toEqual([{ ...failed, operator: '!=' }]);
});

it('takes several values from the list', async () => {
  const { datasource } = dataSourceWith(states);
  const filters: Filter[] = [{ key: 'state', operator: '=|', values: ['FINISHED'] }];
  const { user, saved } = edit(Rows, { filters }, { datasource });
  await choose(user, control(ids.filterValue(0)), 'START');
  expect(saved.query.filters?.[0].values).toEqual(['FINISHED', 'START']);
});

it('takes each line of what is pasted, such as a column of a spreadsheet', async () => {
  const filters: Filter[] = [{ key: 'activityLabel', operator: '=|', values: ['a'] }];
  const { user, saved } = edit(Rows, { filters });
  await user.click(control(ids.filterValue(0)));
  await user.paste('b\r\na\nc\n');
  expect(saved.query.filters?.[0].values).toEqual(['a', 'b', 'c']);
});

it.each<[string, Filter, Filter]>([
  ['b;c', { ...failed, operator: '=|', values: ['a'] }, { ...failed, operator: '=|', values: ['a', 'b', 'c'] }],
  [
    'b\tc; d\n',
    { ...failed, operator: '=|', values: ['a'] },
    { ...failed, operator: '=|', values: ['a', 'b', 'c; d'] },
  ],
  ['b\nc', failed, { ...failed, operator: '=|', values: ['b', 'c'] }],
  ['b\nc', { ...failed, operator: '!=' }, { ...failed, operator: '!=|', values: ['b', 'c'] }],
])('takes the cells of %j as values: %j', async (pasted, { value, ...rest }, { value: _, ...expected }) => {
  const filter = { ...rest, key: 'activityLabel', ...(!rest.values && { value }) };
  const { user, saved } = edit(QueryEditor, { filters: [filter] });
  await user.click(control(ids.filterValue(0)));
  await user.paste(pasted);
  await waitFor(() => expect(saved.query.filters).toEqual([{ ...expected, key: 'activityLabel' }]));
  expect(document.body).not.toHaveFocus();
});

it('keeps a value with a semicolon whole', async () => {
  const { datasource } = dataSourceWith([{ value: 'b;c', text: 'b;c' }]);
  const filters: Filter[] = [{ key: 'activityLabel', operator: '=|', values: ['a'] }];
  const { user, saved } = edit(Rows, { filters }, { datasource });
  await user.click(control(ids.filterValue(0)));
  await user.paste('b;c');
  await waitFor(() => expect(saved.query.filters?.[0].values).toEqual(['a', 'b;c']));
});

it('finds rows without a value', async () => {
  const { user, saved } = edit(Rows, { filters: [{ ...failed, key: 'machineId' }] });
  await choose(user, control(ids.filterValue(0)), '(no value)');
  expect(saved.query.filters).toEqual([{ key: 'machineId', operator: '=', value: '' }]);
  expect(control(ids.filterValue(0))).toHaveValue('(no value)');
});

it('suggests variables, but no numbers and times', async () => {
  const { datasource, getResource } = dataSourceWith(states, { from: { value: '3' } });
  const filters: Filter[] = [{ key: 'totalItems', operator: '>', value: '1' }];
  const { user, saved } = edit(Rows, { filters }, { datasource });
  await choose(user, control(ids.filterValue(0)), '${from}');
  expect(saved.query.filters?.[0].value).toBe('${from}');
  expect(getResource).not.toHaveBeenCalled();
});

it('forgets the value with the field, and says that the query keeps the last complete filter meanwhile', async () => {
  const { user, saved, changes } = edit(Rows, { filters: [failed] });
  await choose(user, control(ids.filterField(0)), 'state');
  expect(control(ids.filterField(0))).toHaveValue('State');
  expect(screen.getByRole('alert')).toHaveTextContent('the query does not have this filter yet');
  expect(changes).toEqual([]);
  await user.type(control(ids.filterValue(0)), 'START{Enter}');
  expect(saved.query.filters).toEqual([{ key: 'state', operator: '=', value: 'START' }]);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('has a name, by which its controls can be told from those of another one', () => {
  edit(Rows, { filters: [failed, failed] });
  expect(screen.getByRole('group', { name: 'Filter 2' })).toContainElement(control(ids.filterValue(1)));
});

it('is removed, others stay', async () => {
  const other: Filter = { key: 'machineId', operator: '!=', value: '7' };
  const { user, saved } = edit(Rows, { filters: [failed, other] });
  await user.click(control(ids.filterRemove(0)));
  expect(saved.query.filters).toEqual([other]);
  await user.click(control(ids.filterRemove(0)));
  expect(saved.query).toEqual({ refId: 'A' });
});

it('is removed although it is saved without a value, which the backend refuses', async () => {
  const { user, saved } = edit(Rows, { filters: [{ key: 'state', operator: '=' }, failed] });
  await user.click(control(ids.filterRemove(0)));
  expect(saved.query.filters).toEqual([failed]);
});

it('that is saved without a value stays while another one is changed', async () => {
  const incomplete: Filter = { key: 'state', operator: '=' };
  const { user, saved } = edit(Rows, { filters: [incomplete, failed] });
  await user.click(control(ids.filterRemove(1)));
  expect(saved.query.filters).toEqual([incomplete]);
});

it('keeps a value that was typed before the field was chosen', async () => {
  const { user, saved } = edit(Rows, {});
  await user.click(control(ids.filterAdd));
  await user.type(control(ids.filterValue(0)), 'runner-01{Enter}');
  await choose(user, control(ids.filterField(0)), 'Runner');
  expect(saved.query.filters).toEqual([{ key: 'machineId', operator: '=', value: 'runner-01' }]);
});

it('begins with its field, which has the focus', async () => {
  const { user, saved } = edit(Rows, { filters: [failed] });
  await user.click(control(ids.filterAdd));
  expect(control(ids.filterField(1))).toHaveFocus();
  await user.keyboard('runner{Tab}');
  await user.type(control(ids.filterValue(1)), 'a{Tab}');
  expect(saved.query.filters).toEqual([failed, { key: 'machineId', operator: '=', value: 'a' }]);
});

it('that is not complete does not survive another data set', async () => {
  const { user } = edit(QueryEditor);
  await user.click(control(ids.filterAdd));
  await check(user, ids.dataSet, 'Runners');
  expect(screen.queryByTestId(ids.filterField(0))).not.toBeInTheDocument();
});

describe('what was typed and left', () => {
  const first: Filter = { key: 'activityLabel', operator: '=', value: 'a' };
  const second: Filter = { key: 'machineId', operator: '=', value: 'b' };

  /** Types into the value of the first filter, whose suggestions never arrive. */
  async function typed(text: string) {
    const { datasource } = dataSourceWith(states);
    datasource.getResource = () => new Promise(() => undefined);
    const edited = edit(QueryEditor, { filters: [first, second] }, { datasource });
    await edited.user.clear(control(ids.filterValue(0)));
    await edited.user.type(control(ids.filterValue(0)), text);
    return edited;
  }

  it('is removed with its filter, and no other filter takes it', async () => {
    const { user, saved } = await typed('payroll');
    await user.click(control(ids.filterRemove(0)));
    expect(saved.query.filters).toEqual([second]);
    expect(control(ids.filterValue(0))).toHaveValue('b');
  });

  it('does not become the value of another field', async () => {
    const { user, saved } = await typed('payroll');
    await choose(user, control(ids.filterField(0)), 'finishStatus');
    expect(control(ids.filterValue(0))).toHaveValue('');
    expect(saved.query.filters).toEqual([{ ...first, value: 'payroll' }, second]);
  });

  it('is saved before the data set changes', async () => {
    const { user, changes } = await typed('payroll');
    await check(user, ids.dataSet, 'Runners');
    expect(changes[0].filters).toEqual([{ ...first, value: 'payroll' }, second]);
  });
});

it('keeps the focus among the filters when one is removed with the keyboard', async () => {
  const { user } = edit(Rows, { filters: [failed, failed, failed] });
  const remove = async (index: number) => {
    control(ids.filterRemove(index)).focus();
    await user.keyboard('{Enter}');
  };
  await remove(1);
  expect(control(ids.filterRemove(1))).toHaveFocus();
  await remove(1);
  expect(control(ids.filterAdd)).toHaveFocus();
});

it('shows an operator that is a variable, and its values', async () => {
  const filters = [{ key: 'state', operator: '$operator', values: ['START', 'RUNNING'] }] as unknown as Filter[];
  const { user, saved } = edit(Rows, { filters });
  expect(control(ids.filterOperator(0))).toHaveValue('$operator');
  await user.type(control(ids.filterValue(0)), '$state{Enter}');
  expect(saved.query.filters?.[0].values).toEqual(['START', 'RUNNING', '$state']);
});

describe('FilterValue', () => {
  const states = ['FINISHED', 'START'].map((value) => ({ value, text: value }));

  function draw(filter: Partial<Filter>, ...source: Parameters<typeof dataSourceWith>) {
    const { datasource, getResource } = dataSourceWith(...source);
    const onChange = jest.fn();
    const { props } = controlFor({}, { datasource, days: 7 });
    const full: Filter = { key: 'state', operator: '=', ...filter };
    render(<FilterValue {...props} filter={full} index={0} onChange={onChange} />);
    return { user: userEvent.setup({ delay: null }), box: screen.getByRole('combobox'), onChange, getResource };
  }

  it('suggests values that exist, and variables', async () => {
    const { user, box } = draw({ key: 'machineId' }, states, { state: { value: 'x' } });
    expect(await offered(user, box)).toEqual(['(no value)', 'FINISHED', 'START', '${state}']);
  });

  const paused = [...states, { value: 'PAUSED', text: 'PAUSED' }];

  it('lists all states, also those that no row has now', async () => {
    const { user, box } = draw({}, paused, { state: { value: 'x' } });
    expect(await offered(user, box)).toEqual([
      ...['(no value)', 'START', 'RUNNING', 'FINISHED', 'CANCELED', 'TIMEOUT', 'PAUSED', '${state}'],
    ]);
  });

  it.each([
    ['run', 'RUNNING'],
    ['T', 'TIMEOUT'],
    ['', undefined],
    ['$state', '$state'],
    ['OTHER', 'OTHER'],
  ])('takes for the state %s at once: %s', async (typed, value) => {
    const { user, box, onChange } = draw({}, paused);
    await user.type(box, `${typed}{Enter}`);
    expect(onChange.mock.calls).toEqual(value ? [[{ key: 'state', operator: '=', value }]] : []);
  });

  it('takes what several known values begin with as it is', async () => {
    const { user, box, onChange } = draw({ key: 'weekday' });
    await user.type(box, 't{Enter}');
    expect(onChange.mock.calls).toEqual([[{ key: 'weekday', operator: '=', value: 't' }]]);
  });

  it.each([
    ['weekday', 'Monday', 'Sunday'],
    ['hour', '00', '09'],
  ])('offers every %s, without asking for it', async (key, first, later) => {
    const { user, box, getResource } = draw({ key }, states);
    const names = await offered(user, box);
    expect(names[1]).toBe(first);
    expect(names).toContain(later);
    expect(getResource).not.toHaveBeenCalled();
  });

  const runners = [
    { value: 'runner-10', text: 'runner-10' },
    { value: 'runner-1', text: 'runner-1' },
    { value: 'crm', text: 'Customers' },
  ];

  it.each(['runner', 'RUNNER-10', 'runner-1', 'Cust', '${who', '1', '$who'])(
    'takes %s as it was typed, at once',
    async (typed) => {
      const { user, box, onChange } = draw({ key: 'machineId' }, runners, { who: { value: 'x' } });
      await user.type(box, `${typed.replaceAll('{', '{{')}{Enter}`);
      expect(onChange.mock.calls).toEqual([[{ key: 'machineId', operator: '=', value: typed }]]);
    }
  );

  it('takes what was typed where the field is left, too, and among several values', async () => {
    const { user, box, onChange } = draw({ key: 'machineId', operator: '=|', values: ['crm'] }, runners);
    await user.type(box, 'runner{Tab}');
    expect(onChange.mock.calls).toEqual([[{ key: 'machineId', operator: '=|', values: ['crm', 'runner'] }]]);
  });

  it.each(['=~', '<'] as const)('takes any text with %s as it is', async (operator) => {
    const { user, box, onChange } = draw({ key: 'machineId', operator }, runners);
    await user.type(box, 'runner{Enter}');
    expect(onChange.mock.calls).toEqual([[{ key: 'machineId', operator, value: 'runner' }]]);
  });

  it('requests values that contain the typed text', async () => {
    const { user, box, getResource } = draw({}, states, { start: { value: 'x' }, end: { value: 'y' } });
    await user.type(box, 'st');
    await waitFor(() => expect(getResource).toHaveBeenCalled());
    expect(getResource).toHaveBeenLastCalledWith(
      'values',
      { queryType: 'tasks', field: 'state', days: 7, search: 'st' },
      { showErrorAlert: false }
    );
    await option('${start}');
    expect(screen.queryByText('${end}')).not.toBeInTheDocument();
    expect(screen.queryByText('(no value)')).not.toBeInTheDocument();
  });

  it.each(['=~', '!~', '<', '>'] as const)('has no "no value" for %s, which would not find it', async (operator) => {
    const { user, box } = draw({ operator }, states);
    expect(await offered(user, box)).toEqual(['FINISHED', 'START']);
  });

  it('adds a text to several values, each of which is there once', async () => {
    const { user, box, onChange } = draw({ key: 'machineId', operator: '=|', values: ['START'] }, states);
    await user.type(box, 'START{Enter}');
    expect(onChange).not.toHaveBeenCalled();
    await user.clear(box);
    await user.type(box, 'OTHER{Enter}');
    expect(onChange.mock.calls).toEqual([[{ key: 'machineId', operator: '=|', values: ['START', 'OTHER'] }]]);
  });
});

describe('filterRows', () => {
  const one: Filter = { key: 'state', operator: '=', value: 'START' };
  const several: Filter = { key: 'state', operator: '=|', values: ['START', 'RUNNING'] };

  it('knows which operators take several values', () => {
    expect(operators.filter(isMultiValue)).toEqual(['=|', '!=|']);
  });

  describe('isComplete', () => {
    it.each<[string, Filter, boolean]>([
      ['with field and value', one, true],
      ['with several values', several, true],
      ['that asks for rows without a value', { ...one, value: '' }, true],
      ['that was just added', newFilter, false],
      ['without a field', { ...one, key: '' }, false],
      ['without a value', { key: 'state', operator: '=' }, false],
      ['with an empty list', { ...several, values: [] }, false],
      ['with one value where several belong', { key: 'state', operator: '=|', value: 'START' }, false],
      ['with several values where one belongs', { key: 'state', operator: '=', values: ['START'] }, false],
    ])('a filter %s: %#', (_, filter, expected) => {
      expect(isComplete(filter)).toBe(expected);
    });
  });

  describe('withKey', () => {
    it('forgets the values, which mean nothing to another field', () => {
      expect(withKey(one, 'machineId')).toEqual({ key: 'machineId', operator: '=' });
      expect(withKey(several, 'machineId')).toEqual({ key: 'machineId', operator: '=|' });
    });
  });

  describe('withOperator', () => {
    it.each<[Filter, Filter['operator'], Filter]>([
      [one, '!=', { key: 'state', operator: '!=', value: 'START' }],
      [one, '=|', { key: 'state', operator: '=|', values: ['START'] }],
      [several, '!=|', { ...several, operator: '!=|' }],
      [several, '$operator' as '=', { ...several, operator: '$operator' as '=' }],
      [several, '=~', { key: 'state', operator: '=~', value: 'START' }],
      [{ ...one, value: '' }, '=|', { key: 'state', operator: '=|', values: [''] }],
      [newFilter, '=|', { key: '', operator: '=|' }],
      [{ key: 'state', operator: '=|', values: [] }, '=', { key: 'state', operator: '=' }],
    ])('%j as %s', (filter, operator, expected) => {
      expect(withOperator(filter, operator)).toEqual(expected);
    });
  });
});
