import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React, { type ComponentProps } from 'react';

import { SecretSetting } from './SecretSetting';

function draw(parts: Partial<ComponentProps<typeof SecretSetting>> = {}) {
  const handlers = { onChange: jest.fn(), onReset: jest.fn() };
  const props = { label: 'Secret', value: undefined, isConfigured: false, testId: 'secret', ...handlers, ...parts };
  render(<SecretSetting {...props} />);
  return { user: userEvent.setup({ delay: null }), ...handlers };
}
const input = () => screen.getByLabelText('Secret');

it('hides what is typed', async () => {
  const { user, onChange } = draw();
  expect(input()).toHaveAttribute('type', 'password');
  await user.type(input(), 'x');
  expect(onChange).toHaveBeenCalledWith('x');
});

it('is never filled in by the browser, which would save the password of Grafana here', () => {
  draw();
  expect(input()).toHaveAttribute('autocomplete', 'new-password');
});

it('says that it is configured, and nothing else, until it is reset', async () => {
  const { user, onReset } = draw({ isConfigured: true, value: 'x' });
  expect(input()).toHaveValue('Configured');
  expect(input()).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Reset Secret' }));
  expect(onReset).toHaveBeenCalledTimes(1);
});

it('cannot be reset when it is provisioned', async () => {
  const { user, onReset } = draw({ isConfigured: true, disabled: true });
  await user.click(screen.getByRole('button', { name: 'Reset Secret' }));
  expect(onReset).not.toHaveBeenCalled();
});

it('takes several lines, as certificates have', async () => {
  const { user, onChange } = draw({ multiline: true });
  await user.click(input());
  await user.paste('-----BEGIN\nABC');
  expect(onChange).toHaveBeenCalledWith('-----BEGIN\nABC');
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
