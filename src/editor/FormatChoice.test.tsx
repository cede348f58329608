import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { getDataSet } from '../../datasets/datasets';
import { FormatChoice } from './FormatChoice';

const radio = (name: string) => screen.getByRole('radio', { name });

function draw(dataSet: string, format?: 'numeric' | 'timeseries') {
  const onChange = jest.fn();
  render(<FormatChoice format={format} dataSet={getDataSet(dataSet)} onChange={onChange} />);
  return onChange;
}

it('shows a table where nothing is saved', () => {
  draw('tasks');
  expect(radio('Table')).toBeChecked();
});

it.each([
  ['numeric', 'Number'],
  ['timeseries', 'Line'],
] as const)('shows %s as %s', (format, name) => {
  draw('tasks', format);
  expect(radio(name)).toBeChecked();
});

it('changes', async () => {
  const onChange = draw('tasks');
  await userEvent.click(radio('Line'));
  expect(onChange).toHaveBeenCalledWith('timeseries');
  expect(screen.queryByText(/keeps no history/)).not.toBeInTheDocument();
});

it.each(['automations', 'runners'])('has no line of %s, and says why and what to use', async (dataSet) => {
  const onChange = draw(dataSet);
  expect(radio('Line')).toBeDisabled();
  await userEvent.click(radio('Line'));
  expect(onChange).not.toHaveBeenCalled();
  expect(screen.getByText('No line: the service keeps no history. Use tasks, or a recording rule.')).toBeVisible();
});
