import '../testing/dom';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { Combobox, MultiCombobox } from '@grafana/ui';

import { option, options } from '../testing/editing';
import { FreeText } from './FreeText';

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
