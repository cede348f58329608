import '../testing/dom';
import { render, screen } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import React, { type ComponentProps } from 'react';

import { offered } from '../testing/editing';
import { SuggestInput } from './SuggestInput';

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
