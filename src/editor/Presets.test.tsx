import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { presets } from '../presets';
import { selectors } from '../selectors';
import { PresetsMenu, QueryHelp } from './Presets';

describe('PresetsMenu', () => {
  it('offers each preset with what it answers, once it is opened', async () => {
    const onChoose = jest.fn();
    render(<PresetsMenu onChoose={onChoose} />);
    expect(screen.queryByRole('menu')).not.toBeInTheDocument();
    await userEvent.click(screen.getByLabelText('Starter query'));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(
      presets().map(({ title, description }) => `${title}${description}`)
    );

    await userEvent.click(screen.getByTestId(selectors.query.preset('top-automations')));
    expect(onChoose).toHaveBeenCalledWith(presets().find(({ name }) => name === 'top-automations'));
  });
});

describe('QueryHelp', () => {
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
});
