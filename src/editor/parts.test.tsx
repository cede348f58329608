import '../testing/dom';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { CoreApp, createDataFrame, getDefaultTimeRange, LoadingState, type PanelData } from '@grafana/data';

import { type InsightsQuery } from '../query/query';
import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { choose, controlFor, edit, editMore, offered, only, option, options } from '../testing/editing';
import { controls, DataSetChoice, FormatChoice } from './parts';
import { QueryEditor } from './QueryEditor';

const ids = selectors.query;
const control = (id: string) => screen.getByTestId(id);

describe('DataSetChoice', () => {
  it('offers every data set', async () => {
    const onChange = jest.fn();
    render(<DataSetChoice value={undefined} onChange={onChange} />);
    expect(screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent?.trim())).toEqual([
      'Tasks',
      'Automations',
      'Runners',
    ]);
    expect(screen.getByRole('radio', { name: 'Tasks' })).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: 'Runners' }));
    expect(onChange.mock.calls).toEqual([['runners']]);
  });

  it('shows a name that no data set has, which the backend will explain', () => {
    render(<DataSetChoice value={'robots' as never} onChange={jest.fn()} />);
    expect(screen.getByRole('radio', { name: 'robots' })).toBeChecked();
  });
});

describe('FormatChoice', () => {
  const radio = (name: string) => screen.getByRole('radio', { name });

  function draw(format?: 'numeric' | 'timeseries') {
    const onChange = jest.fn();
    render(<FormatChoice offered={['table', 'numeric', 'timeseries']} value={format} onChange={onChange} />);
    return onChange;
  }

  it('shows a table where nothing is saved', () => {
    draw();
    expect(radio('Table')).toBeChecked();
  });

  it.each([
    ['numeric', 'Number'],
    ['timeseries', 'Time series'],
  ] as const)('shows %s as %s', (format, name) => {
    draw(format);
    expect(radio(name)).toBeChecked();
  });

  it('changes', async () => {
    const onChange = draw();
    await userEvent.click(radio('Time series'));
    expect(onChange).toHaveBeenCalledWith('timeseries');
  });
});

describe('a field', () => {
  it('is found by its label', async () => {
    const { props, onChange } = controlFor({ queryType: 'automations' });
    render(<controls.columns {...props} />);
    const user = userEvent.setup({ delay: null });
    await user.type(screen.getByLabelText('Columns'), 'failed it');
    await waitFor(() =>
      expect(options().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Failed items/)])
    );
    await user.click(await option('Failed items'));
    expect(onChange).toHaveBeenCalledWith({ columns: ['sumItemsError'] });
  });

  it('is shown by its label, and one without a label by its name', () => {
    render(<controls.measure {...controlFor({ format: 'numeric', measure: 'failedTasks' }).props} />);
    render(<controls.timeField {...controlFor({ timeField: 'dateUnknown' as never }).props} />);
    expect(screen.getByLabelText('Measure')).toHaveValue('Failed tasks');
    expect(screen.getByLabelText('Time field')).toHaveValue('dateUnknown');
  });
});

describe('LimitInput', () => {
  const sort = { field: 'tasks', order: 'asc' as const };

  it.each<[Partial<InsightsQuery>, string, string]>([
    [{}, 'Rows', 'All'],
    [{ sort }, 'Rows', 'All'],
    [{ format: 'table' }, 'Rows', 'All'],
    [{ format: 'numeric' }, 'Groups', 'All, or the largest N'],
    [{ format: 'timeseries' }, 'Series', 'All, or the largest N'],
    [{ format: 'numeric', sort }, 'Groups', 'All'],
  ])('of %j is called %p, and none means %p', (query, label, placeholder) => {
    render(<controls.limit {...controlFor(query).props} />);
    expect(screen.getByLabelText(label)).toHaveAttribute('placeholder', placeholder);
  });

  it('shows what is saved', () => {
    render(<controls.limit {...controlFor({ limit: 10 }).props} />);
    expect(screen.getByLabelText('Rows')).toHaveValue('10');
  });
});

describe('more measures', () => {
  const More = only(controls.measures);

  it('adds measures beside the first, which is saved as ever if it is the only one', async () => {
    const { user, saved } = edit(QueryEditor, { format: 'numeric', measure: 'tasks', groupBy: ['activityLabel'] });
    await choose(user, control(ids.measures), 'Failed tasks');
    expect(saved.query).toMatchObject({ measures: ['tasks', 'failedTasks'] });
    expect(saved.query).not.toHaveProperty('measure');
    await choose(user, control(ids.measure), 'Mean duration');
    expect(saved.query).toMatchObject({ measures: ['duration', 'failedTasks'] });
    await choose(user, control(ids.measures), 'Failed tasks');
    expect(saved.query).toMatchObject({ measure: 'duration' });
    expect(saved.query).not.toHaveProperty('measures');
  });

  it('offers what a comparison says of the selected measures', async () => {
    const query = { format: 'numeric', measures: ['tasks', 'successRate'] } as const;
    const { user } = edit(More, { ...query, measures: [...query.measures], compare: 'week' });
    const names = await offered(user, control(ids.measures));
    expect(names.slice(0, 6)).toEqual([
      ...['Tasks before', 'Tasks ± %', 'Tasks ±'],
      ...['Success rate of tasks before', 'Success rate of tasks ± %', 'Success rate of tasks ±'],
    ]);
  });

  it('is about one measure in a rule, unless several are saved', () => {
    edit(QueryEditor, { format: 'numeric', measure: 'tasks' }, { app: CoreApp.UnifiedAlerting });
    expect(screen.queryByTestId(ids.measures)).not.toBeInTheDocument();
  });
});

describe('the sort', () => {
  const Sort = only(controls.sort);

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
});

describe('SearchInput', () => {
  const labels = [
    { value: 'boletos', text: 'Boletos' },
    { value: 'invoices', text: 'Invoice intake' },
  ];
  const search = () => control(ids.search);

  const Search = only(controls.search);

  it.each([
    ['tasks', 'automations'],
    ['automations', 'automations'],
    ['runners', 'runners'],
  ] as const)('of %s suggests %s as one types', async (queryType, path) => {
    const { datasource, getResource } = dataSourceWith(labels);
    const { user, saved } = edit(Search, { queryType }, { datasource });
    await user.type(search(), 'inv');
    await waitFor(() =>
      expect(getResource).toHaveBeenLastCalledWith(path, { days: 7, search: 'inv' }, { showErrorAlert: false })
    );
    await user.click(await option('invoicesInvoice intake'));
    expect(saved.query.search).toBe('invoices');
  });

  it('suggests without a text, too', async () => {
    const { datasource } = dataSourceWith(labels);
    const { user, saved } = edit(Search, {}, { datasource });
    await choose(user, search(), 'boletos');
    expect(saved.query.search).toBe('boletos');
  });

  it.each(['{Enter}', '{Tab}'])('takes what was typed on %s, whatever is suggested', async (key) => {
    const { datasource } = dataSourceWith(labels);
    const { user, saved, onRunQuery } = await editMore(QueryEditor, {}, { datasource });
    await user.click(search());
    await option('boletos');
    await user.type(search(), `invoices${key}`);
    expect(saved.query.search).toBe('invoices');
    expect(search()).toHaveValue('invoices');
    expect(onRunQuery).toHaveBeenCalledTimes(1);
  });

  it('takes what was typed when one clicks elsewhere', async () => {
    const { user, saved } = edit(Search);
    await user.type(search(), '$label');
    await user.click(document.body);
    expect(saved.query.search).toBe('$label');
  });

  it('takes a suggestion that was chosen with the keyboard', async () => {
    const { datasource } = dataSourceWith(labels);
    const { user, saved, changes } = edit(Search, {}, { datasource });
    await user.type(search(), 'o');
    await option('invoices');
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(saved.query.search).toBe('invoices');
    await user.click(document.body);
    expect(saved.query.search).toBe('invoices');
    expect(changes).toHaveLength(1);
  });

  it('takes nothing on Escape, nor for having been looked at', async () => {
    const { datasource } = dataSourceWith(labels);
    const { user, changes } = edit(Search, { search: 'invoices' }, { datasource });
    await user.type(search(), 'x{Escape}');
    await user.click(document.body);
    await user.click(search());
    await user.click(document.body);
    expect(changes).toEqual([]);
    expect(search()).toHaveValue('invoices');
  });

  it('is cleared', async () => {
    const { user, saved } = await editMore(QueryEditor, { search: 'invoices' });
    await user.click(screen.getByRole('button', { name: 'Clear value' }));
    expect(saved.query).toEqual({ refId: 'A' });
  });

  it('works without suggestions', async () => {
    jest.spyOn(console, 'error').mockImplementation();
    const { datasource } = dataSourceWith(new Error('cannot connect to insights.example.com'));
    const { user, saved } = edit(Search, {}, { datasource });
    await user.click(search());
    expect(await screen.findByText(/error occurred while loading/)).toBeInTheDocument();
    await user.type(search(), 'invoices{Enter}');
    expect(saved.query.search).toBe('invoices');
  });
});
