import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { presets } from '../query/presets';
import { selectors } from '../selectors';
import { PresetsMenu, QueryHelp } from './Presets';

describe('PresetsMenu', () => {
  it('offers each preset with what it answers, once it is opened', async () => {
    const onChoose = jest.fn();
    render(<PresetsMenu presets={presets()} onChoose={onChoose} />);
    expect(screen.queryByRole('menu')).not.toBeInTheDocument();
    // The name is what the button reads.
    const button = screen.getByRole('button', { name: 'Starter query' });
    expect(button).toHaveTextContent(/^Starter query$/);
    await userEvent.click(button);
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(
      presets().map(({ title, description }) => `${title}${description}`)
    );

    await userEvent.click(screen.getByTestId(selectors.query.preset('top-automations')));
    expect(onChoose).toHaveBeenCalledWith(presets().find(({ name }) => name === 'top-automations'));
  });
});

describe('QueryHelp', () => {
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
});
