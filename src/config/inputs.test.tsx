import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React, { type ComponentProps, useState } from 'react';

import { NumberSetting, SecretSetting } from './inputs';

describe('NumberSetting', () => {
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

  it('shows the default if nothing is saved', () => {
    const { input } = draw();
    expect(input).toHaveValue('');
    expect(input).toHaveAttribute('placeholder', '8');
  });

  it('applies changes immediately: the button to save is elsewhere', async () => {
    const { user, onChange, input } = draw();
    await user.type(input, '12');
    expect(onChange.mock.calls).toEqual([[1], [12]]);
  });

  it('saves another text as it is, for the backend to report, and says what is allowed', async () => {
    const { user, onChange, input } = draw();
    await user.type(input, '123');
    expect(onChange).toHaveBeenLastCalledWith('123');
    expect(screen.getByText('"123" is not allowed: enter a whole number from 1 to 32')).toBeInTheDocument();
    await user.type(input, '{Backspace}');
    expect(onChange).toHaveBeenLastCalledWith(12);
    expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
  });
});

describe('SecretSetting', () => {
  function draw(parts: Partial<ComponentProps<typeof SecretSetting>> = {}) {
    const handlers = { onChange: jest.fn(), onReset: jest.fn() };
    const props = { label: 'Secret', value: undefined, isConfigured: false, testId: 'secret', ...handlers, ...parts };
    render(<SecretSetting {...props} />);
    return { user: userEvent.setup({ delay: null }), ...handlers };
  }
  const input = () => screen.getByLabelText('Secret');

  it('hides the typed text', async () => {
    const { user, onChange } = draw();
    expect(input()).toHaveAttribute('type', 'password');
    await user.type(input(), 'x');
    expect(onChange).toHaveBeenCalledWith('x');
  });

  it("is never autofilled by the browser, which would save Grafana's password here", () => {
    draw();
    expect(input()).toHaveAttribute('autocomplete', 'new-password');
  });

  it('accepts multiple lines, as for certificates', async () => {
    const { user, onChange } = draw({ multiline: true });
    await user.click(input());
    await user.paste('-----BEGIN\nABC');
    expect(onChange).toHaveBeenCalledWith('-----BEGIN\nABC');
  });
});
