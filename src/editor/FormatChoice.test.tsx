import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { FormatChoice } from './FormatChoice';

const radio = (name: string) => screen.getByRole('radio', { name });

function draw(format?: 'numeric' | 'timeseries') {
  const onChange = jest.fn();
  render(<FormatChoice format={format} onChange={onChange} />);
  return onChange;
}

it('shows a table where nothing is saved', () => {
  draw();
  expect(radio('Table')).toBeChecked();
});

it.each([
  ['numeric', 'Number'],
  ['timeseries', 'Line'],
] as const)('shows %s as %s', (format, name) => {
  draw(format);
  expect(radio(name)).toBeChecked();
});

it('changes', async () => {
  const onChange = draw();
  await userEvent.click(radio('Line'));
  expect(onChange).toHaveBeenCalledWith('timeseries');
});
