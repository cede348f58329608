import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { presets } from '../query/presets';
import { selectors } from '../selectors';
import { QueryHelp } from './QueryHelp';

it('offers each starter query with what it shows, in place of what is saved', async () => {
  const onClickExample = jest.fn();
  const query = { refId: 'B', hide: false, queryType: 'runners' as const, limit: 3 };
  render(<QueryHelp query={query} onClickExample={onClickExample} />);
  for (const { title, description } of presets()) {
    expect(screen.getByRole('button', { name: title })).toBeInTheDocument();
    expect(screen.getByText(description)).toBeInTheDocument();
  }
  await userEvent.click(screen.getByTestId(selectors.query.example('needs-attention')));
  expect(onClickExample).toHaveBeenCalledWith({ refId: 'B', hide: false, queryType: 'tasks', format: 'attention' });
});
