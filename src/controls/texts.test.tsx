import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React, { type ComponentProps } from 'react';

import { NumberInput, TextInput } from './texts';

describe('TextInput', () => {
  function draw(value?: string) {
    const onChange = jest.fn();
    const props = { label: 'Search', placeholder: 'Anything', testId: 'search', onChange };
    const { rerender } = render(<TextInput {...props} value={value} />);
    const user = userEvent.setup({ delay: null });
    return { user, onChange, redraw: (changed: string) => rerender(<TextInput {...props} value={changed} />) };
  }
  const input = () => screen.getByLabelText('Search');

  it.each(['{Enter}', '{Tab}'])('saves the trimmed text on %s, once', async (key) => {
    const { user, onChange } = draw();
    await user.type(input(), ` bot ${key}`);
    expect(onChange.mock.calls).toEqual([['bot']]);
  });

  it('saves nothing on focus or while typing', async () => {
    const { user, onChange } = draw('bot');
    await user.click(input());
    await user.tab();
    await user.type(input(), 's');
    expect(onChange).not.toHaveBeenCalled();
  });

  it('changes nothing when a text that was written by hand is left', async () => {
    const { user, onChange } = draw('runner ');
    await user.click(input());
    await user.keyboard('{Enter}{Tab}');
    expect(onChange).not.toHaveBeenCalled();
    expect(input()).toHaveValue('runner ');
  });

  it('waits for the end of a composition', async () => {
    const { user, onChange } = draw();
    await user.type(input(), 'に');
    fireEvent.keyDown(input(), { key: 'Enter', isComposing: true });
    expect(onChange).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(onChange.mock.calls).toEqual([['に']]);
  });

  it('saves an empty text', async () => {
    const { user, onChange } = draw('bot');
    await user.clear(input());
    await user.tab();
    expect(onChange.mock.calls).toEqual([['']]);
  });

  it('is replaced by a text that is set from outside', async () => {
    const { user, redraw } = draw('bot');
    await user.type(input(), 'x');
    redraw('other');
    expect(input()).toHaveValue('other');
  });
});

describe('NumberInput', () => {
  function draw(parts: Partial<ComponentProps<typeof NumberInput>> = {}) {
    const onChange = jest.fn();
    const props = {
      label: 'Rows',
      value: 5,
      placeholder: 'All',
      bounds: { min: 1 },
      testId: 'rows',
      onChange,
      ...parts,
    };
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

  it('shows no error on focus or while typing', async () => {
    const { user, onChange } = draw();
    await user.click(input());
    await user.tab();
    await user.type(input(), '0');
    expect(onChange).not.toHaveBeenCalled();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it.each(['{Enter}', '{Tab}'])('saves the number on %s, once', async (key) => {
    const { user, onChange } = draw();
    await user.type(input(), `0${key}`);
    expect(onChange.mock.calls).toEqual([[50]]);
  });

  it('saves undefined for an empty field', async () => {
    const { user, onChange } = draw();
    await user.clear(input());
    await user.tab();
    expect(onChange.mock.calls).toEqual([[undefined]]);
  });

  it('explains an invalid value until it is fixed', async () => {
    const { user, onChange } = draw();
    await user.clear(input());
    await user.type(input(), 'many{Enter}');
    expect(screen.getByText(/"many" is not allowed/)).toBeInTheDocument();
    expect(input()).toBeInvalid();
    await user.clear(input());
    await user.type(input(), '9');
    expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
    await user.tab();
    expect(onChange.mock.calls).toEqual([[9]]);
    expect(input()).toBeValid();
  });

  it('is replaced by a number that is set from outside', async () => {
    const { user, redraw } = draw();
    await user.type(input(), 'x{Enter}');
    redraw(6);
    expect(input()).toHaveValue('6');
    expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
    // As by undo.
    redraw(5);
    expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
  });
});
