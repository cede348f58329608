import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React, { type ComponentProps } from 'react';

import { NumberInput } from './NumberInput';

function draw(parts: Partial<ComponentProps<typeof NumberInput>> = {}) {
  const onChange = jest.fn();
  const props = { label: 'Rows', value: 5, placeholder: 'All', bounds: { min: 1 }, testId: 'rows', onChange, ...parts };
  const { rerender } = render(<NumberInput {...props} />);
  const user = userEvent.setup({ delay: null });
  return { user, onChange, redraw: (value: number) => rerender(<NumberInput {...props} value={value} />) };
}
const input = () => screen.getByLabelText('Rows');

it('shows the number, or what none means', () => {
  const { redraw } = draw({ value: undefined });
  expect(input()).toHaveValue('');
  expect(input()).toHaveAttribute('placeholder', 'All');
  redraw(7);
  expect(input()).toHaveValue('7');
});

it('says nothing while one types, nor for looking', async () => {
  const { user, onChange } = draw();
  await user.click(input());
  await user.tab();
  await user.type(input(), '0');
  expect(onChange).not.toHaveBeenCalled();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it.each(['{Enter}', '{Tab}'])('gives the number on %s, once', async (key) => {
  const { user, onChange } = draw();
  await user.type(input(), `0${key}`);
  expect(onChange.mock.calls).toEqual([[50]]);
});

it('gives nothing for an empty field', async () => {
  const { user, onChange } = draw();
  await user.clear(input());
  await user.tab();
  expect(onChange.mock.calls).toEqual([[undefined]]);
});

it('explains what it does not take, until that is mended', async () => {
  const { user, onChange } = draw();
  await user.clear(input());
  await user.type(input(), 'many{Enter}');
  expect(screen.getByText(/“many” is not allowed/)).toBeInTheDocument();
  expect(input()).toBeInvalid();
  await user.clear(input());
  await user.type(input(), '9');
  expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
  await user.tab();
  expect(onChange.mock.calls).toEqual([[9]]);
  expect(input()).toBeValid();
});

it('gives way to a number from elsewhere', async () => {
  const { user, redraw } = draw();
  await user.type(input(), 'x{Enter}');
  redraw(6);
  expect(input()).toHaveValue('6');
  expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
});
