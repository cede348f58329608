import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React, { useState } from 'react';

import { NumberSetting } from './NumberSetting';

function draw(saved?: number) {
  const onChange = jest.fn();
  function Host() {
    const [value, setValue] = useState(saved);
    return (
      <NumberSetting
        label="Requests"
        value={value}
        fallback={8}
        bounds={{ min: 1, max: 32 }}
        testId="requests"
        onChange={(changed) => {
          onChange(changed);
          setValue(changed);
        }}
      />
    );
  }
  render(<Host />);
  return { user: userEvent.setup({ delay: null }), onChange, input: screen.getByLabelText('Requests') };
}

it('shows the default where nothing is saved', () => {
  const { input } = draw();
  expect(input).toHaveValue('');
  expect(input).toHaveAttribute('placeholder', '8');
});

it('saves at once: the button to save is elsewhere', async () => {
  const { user, onChange, input } = draw();
  await user.type(input, '12');
  expect(onChange.mock.calls).toEqual([[1], [12]]);
});

it('keeps the last good number while the text is none', async () => {
  const { user, onChange, input } = draw();
  await user.type(input, '123');
  expect(onChange).toHaveBeenLastCalledWith(12);
  expect(input).toHaveValue('123');
  expect(screen.getByText('“123” is not allowed: expected a whole number from 1 to 32')).toBeInTheDocument();
  await user.type(input, '{Backspace}');
  expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
  expect(input).toHaveValue('12');
});

it('removes the setting when it is emptied', async () => {
  const { user, onChange, input } = draw(5);
  await user.clear(input);
  expect(onChange).toHaveBeenLastCalledWith(undefined);
});
