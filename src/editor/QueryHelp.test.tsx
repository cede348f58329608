import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { presets } from '../presets';
import { QueryHelp } from './QueryHelp';

it('offers each preset with what it answers, and fills the query from it', async () => {
  const onClickExample = jest.fn();
  const query = { refId: 'B', days: 3 };
  render(<QueryHelp query={query} onClickExample={onClickExample} />);
  for (const { title, description } of presets()) {
    expect(screen.getByText(title)).toBeInTheDocument();
    expect(screen.getByText(description)).toBeInTheDocument();
  }
  await userEvent.click(screen.getByRole('button', { name: 'Runner utilization' }));
  expect(onClickExample).toHaveBeenCalledWith({
    refId: 'B',
    queryType: 'runners',
    format: 'numeric',
    measure: 'utilizationRate',
    groupBy: ['_id'],
  });
});
