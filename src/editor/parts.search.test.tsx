import '../testing/dom';
import { screen, waitFor } from '@testing-library/react';

import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { choose, edit, editMore, only, option } from '../testing/editing';
import { QueryEditor } from './QueryEditor';
import { controls } from './parts';

describe('SearchInput', () => {
  const labels = [
    { value: 'boletos', text: 'Boletos' },
    { value: 'invoices', text: 'Invoice intake' },
  ];
  const search = () => screen.getByTestId(selectors.query.search);

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
