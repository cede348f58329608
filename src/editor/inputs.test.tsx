import { render, screen } from '@testing-library/react';
import React from 'react';

import { type InsightsQuery } from '../query';
import { controlFor } from '../testing/editing';
import { LimitInput } from './inputs';

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
    render(<LimitInput {...controlFor(query).props} />);
    expect(screen.getByLabelText(label)).toHaveAttribute('placeholder', placeholder);
  });

  it('shows what is saved', () => {
    render(<LimitInput {...controlFor({ limit: 10 }).props} />);
    expect(screen.getByLabelText('Rows')).toHaveValue('10');
  });
});
