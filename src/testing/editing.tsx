import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React, { type ComponentType, useState } from 'react';

import { type DataSource } from '../datasource';
import { type InsightsQuery } from '../query';
import { dataSourceWith } from './datasource';

interface EditorProps {
  query: InsightsQuery;
  datasource: DataSource;
  onChange: (query: InsightsQuery) => void;
  onRunQuery: () => void;
}

/** Draws an editor as Grafana does: what it changes is what it gets back. Returns the last query and the runs. */
export function edit<P extends EditorProps>(
  Editor: ComponentType<P>,
  query: Partial<InsightsQuery> = {},
  more: Partial<P> = {}
) {
  const saved = { query: { refId: 'A', ...query } };
  const onRunQuery = jest.fn();
  const changes: InsightsQuery[] = [];
  function Host() {
    const [current, setCurrent] = useState(saved.query);
    const props = {
      datasource: dataSourceWith().datasource,
      ...more,
      query: current,
      onRunQuery,
      onChange: (changed: InsightsQuery) => {
        saved.query = changed;
        changes.push(changed);
        setCurrent(changed);
      },
    } as unknown as P;
    return <Editor {...props} />;
  }
  const user = userEvent.setup();
  const view = render(<Host />);
  return { user, saved, changes, onRunQuery, ...view };
}

/** Chooses an option of a combobox by its first words. */
export async function choose(user: ReturnType<typeof userEvent.setup>, box: HTMLElement, option: string) {
  await user.click(box);
  await user.click(await screen.findByRole('option', { name: new RegExp(`^${escape(option)}`) }));
}

/** Names of the options that a combobox offers. */
export async function offered(user: ReturnType<typeof userEvent.setup>, box: HTMLElement): Promise<string[]> {
  await user.click(box);
  const options = await screen.findAllByRole('option');
  return options.map((option) => option.textContent ?? '');
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
