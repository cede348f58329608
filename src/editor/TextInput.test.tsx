import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { TextInput } from './TextInput';

function draw(value?: string) {
  const onChange = jest.fn();
  const props = { label: 'Search', placeholder: 'Anything', testId: 'search', onChange };
  const { rerender } = render(<TextInput {...props} value={value} />);
  const user = userEvent.setup({ delay: null });
  return { user, onChange, redraw: (changed: string) => rerender(<TextInput {...props} value={changed} />) };
}
const input = () => screen.getByLabelText('Search');

it.each(['{Enter}', '{Tab}'])('gives the text on %s, without space around it, once', async (key) => {
  const { user, onChange } = draw();
  await user.type(input(), ` bot ${key}`);
  expect(onChange.mock.calls).toEqual([['bot']]);
});

it('gives nothing for looking, nor for typing', async () => {
  const { user, onChange } = draw('bot');
  await user.click(input());
  await user.tab();
  await user.type(input(), 's');
  expect(onChange).not.toHaveBeenCalled();
});

it('gives an empty text', async () => {
  const { user, onChange } = draw('bot');
  await user.clear(input());
  await user.tab();
  expect(onChange.mock.calls).toEqual([['']]);
});

it('gives way to a text from elsewhere', async () => {
  const { user, redraw } = draw('bot');
  await user.type(input(), 'x');
  redraw('other');
  expect(input()).toHaveValue('other');
});
