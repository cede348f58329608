import { render, screen } from '@testing-library/react';
import React from 'react';

import { type InsightsQuery } from '../query/query';
import { controlFor } from '../testing/editing';
import { controls } from './parts';

describe('LimitInput', () => {
  const sort = { field: 'tasks', order: 'asc' as const };

  it.each<[Partial<InsightsQuery>, string, string]>([
    [{}, 'Rows', 'All'],
    [{ sort }, 'Rows', 'All'],
    [{ format: 'table' }, 'Rows', 'All'],
    [{ format: 'numeric' }, 'Groups', 'All, or the largest N'],
    [{ format: 'timeseries' }, 'Series', 'All, or the largest N'],
    [{ format: 'numeric', sort }, 'Groups', 'All'],
  ])('of %j is called %p, and none means %p', (query, label, placeholder) => {
    render(<controls.limit {...controlFor(query).props} />);
    expect(screen.getByLabelText(label)).toHaveAttribute('placeholder', placeholder);
  });

  it('shows what is saved', () => {
    render(<controls.limit {...controlFor({ limit: 10 }).props} />);
    expect(screen.getByLabelText('Rows')).toHaveValue('10');
  });
});
