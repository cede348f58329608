import '../testing/dom';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import React, { type ComponentProps } from 'react';

import { Combobox, MultiCombobox } from '@grafana/ui';

import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { choose, edit, editMore, offered, only, option, options } from '../testing/editing';
import { QueryEditor } from './QueryEditor';
import { FreeText, SearchInput, SuggestInput } from './SuggestInput';

function draw(parts: Partial<ComponentProps<typeof SuggestInput>> = {}) {
  const onChange = jest.fn();
  const load = async () => [{ value: 'INV', label: 'INV', description: 'Invoices' }];
  render(<SuggestInput id="field" value="INV" testId="suggest" load={load} onChange={onChange} {...parts} />);
  // The style that lets the icon be clicked is lost in its mock.
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never });
  return { user, box: screen.getByTestId('suggest'), onChange };
}

it('shows the value itself, and in the list what people call it', async () => {
  const { user, box } = draw();
  expect(box).toHaveValue('INV');
  expect(await offered(user, box)).toEqual(['INVInvoices']);
});

it('shows what the empty text means where it is a value', () => {
  const { box } = draw({ value: '', emptyLabel: '(no value)' });
  expect(box).toHaveValue('(no value)');
});

it('says nothing of a text that is the value already', async () => {
  const { user, box, onChange } = draw();
  await user.type(box, 'INV{Enter}');
  expect(onChange).not.toHaveBeenCalled();
});

it('is cleared', async () => {
  const { user, onChange } = draw();
  await user.click(screen.getByRole('button', { name: 'Clear value' }));
  expect(onChange.mock.calls).toEqual([[undefined]]);
});

describe('FreeText', () => {
  const fruits = [{ value: 'apple' }, { value: 'banana' }];

  function drawSingle(value: string | null = null) {
    const onText = jest.fn();
    const onChange = jest.fn();
    const onEscapeOutside = jest.fn();
    render(
      <div onKeyDown={(event) => event.key === 'Escape' && onEscapeOutside()}>
        <FreeText onText={onText}>
          <Combobox options={fruits} value={value} createCustomValue onChange={onChange} />
        </FreeText>
        <button>Elsewhere</button>
      </div>
    );
    return {
      user: userEvent.setup({ delay: null }),
      onText,
      onChange,
      onEscapeOutside,
      box: screen.getByRole('combobox'),
    };
  }

  it.each(['{Enter}', '{Tab}'])('takes what was typed on %s, and closes the list without choosing', async (key) => {
    const { user, onText, onChange, onEscapeOutside, box } = drawSingle('banana');
    await user.type(box, ` app ${key}`);
    expect(onText.mock.calls).toEqual([['app']]);
    expect(onChange).not.toHaveBeenCalled();
    expect(onEscapeOutside).not.toHaveBeenCalled();
    expect(options()).toEqual([]);
    expect(box).toHaveValue('banana');
  });

  it('stays in the field on Enter and moves on with Tab', async () => {
    const { user, box } = drawSingle();
    await user.type(box, 'app{Enter}');
    expect(box).toHaveFocus();
    await user.type(box, 'app{Tab}');
    expect(box).not.toHaveFocus();
  });

  it('takes what was typed when one goes elsewhere', async () => {
    const { user, onText, onChange, box } = drawSingle();
    await user.type(box, 'app');
    await user.click(screen.getByText('Elsewhere'));
    expect(onText.mock.calls).toEqual([['app']]);
    expect(onChange).not.toHaveBeenCalled();
  });

  it('takes nothing for a look at the list', async () => {
    const { user, onText, onChange, box } = drawSingle();
    await user.click(box);
    await user.keyboard('{Tab}');
    expect(onText).not.toHaveBeenCalled();
    expect(onChange).not.toHaveBeenCalled();
  });

  it('takes only what was chosen in the list, although it was reached from a typed text', async () => {
    const onText = jest.fn();
    const onChange = jest.fn();
    render(
      <FreeText onText={onText}>
        <MultiCombobox options={fruits} value={[]} onChange={onChange} />
      </FreeText>
    );
    const user = userEvent.setup({ delay: null });
    await user.type(screen.getByRole('combobox'), 'an');
    await user.click(await option('banana'));
    expect(onText).not.toHaveBeenCalled();
    expect(onChange.mock.calls).toEqual([[[expect.objectContaining({ value: 'banana' })]]]);
  });

  it('leaves a choice with mouse or arrow keys to the combobox', async () => {
    const { user, onText, onChange, box } = drawSingle();
    await user.type(box, 'an');
    await user.click(await option('banana'));
    expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ value: 'banana' }));
    await user.type(box, 'a{ArrowDown}{Enter}');
    expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ value: 'apple' }));
    fireEvent.blur(box);
    expect(onText).not.toHaveBeenCalled();
  });

  it('forgets what was typed on Escape, and when a click in the field closes the list', async () => {
    const { user, onText, box } = drawSingle();
    await user.type(box, 'app{Escape}');
    fireEvent.blur(box);
    await user.type(box, 'app');
    await user.click(box);
    fireEvent.blur(box);
    expect(onText).not.toHaveBeenCalled();
  });

  it('empties the field for the next text where several belong', async () => {
    const onText = jest.fn();
    render(
      <FreeText onText={onText}>
        <MultiCombobox options={fruits} value={[]} onChange={jest.fn()} />
      </FreeText>
    );
    const user = userEvent.setup({ delay: null });
    await user.type(screen.getByRole('combobox'), 'kiwi{Enter}');
    expect(screen.getByRole('combobox')).toHaveValue('');
    expect(screen.getByRole('combobox')).toHaveFocus();
    expect(onText.mock.calls).toEqual([['kiwi']]);
  });
});

describe('SearchInput', () => {
  const labels = [
    { value: 'boletos', text: 'Boletos' },
    { value: 'invoices', text: 'Invoice intake' },
  ];
  const search = () => screen.getByTestId(selectors.query.search);

  const Search = only(SearchInput);

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
