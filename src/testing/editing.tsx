import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel, type UserEvent } from '@testing-library/user-event';
import React, { type ComponentType, useState } from 'react';

import { type PanelData } from '@grafana/data';

import { getDataSet } from '../../schema/datasets';
import { type DataSource } from '../source/datasource';
import { type ControlProps, seenFields } from '../editor/control';
import { changeParts } from '../query/fit';
import { type InsightsQuery, type QueryParts } from '../query/query';
import { selectors } from '../selectors';
import { dataSourceWith } from './datasource';

interface EditorProps {
  query: InsightsQuery;
  datasource: DataSource;
  onChange: (query: InsightsQuery) => void;
  onRunQuery: () => void;
}

/** Renders an editor as Grafana does: changes are passed back to it. Returns the last query and the number of runs. */
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
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never });
  const view = render(<Host />);
  return { user, saved, changes, onRunQuery, ...view };
}

type ControlEditorProps = EditorProps & { data?: PanelData };

/** An editor that has only this control of the query editor. It renders and changes in a fraction of the time. */
export function only(Control: ComponentType<ControlProps>) {
  return function Only({ query, datasource, data, onChange }: ControlEditorProps) {
    const dataSet = getDataSet(query.queryType);
    const seen = seenFields(data, query.refId, dataSet);
    const onChangeParts = (parts: Partial<QueryParts>) => onChange(changeParts(query, parts).query);
    const props = { query, dataSet, datasource, days: 7, seenFields: seen, onChange: onChangeParts };
    return <Control {...props} />;
  };
}

/** Opens More. */
export async function openMore(user: UserEvent) {
  await user.click(screen.getByTestId(selectors.query.more));
}

/** Renders an editor like `edit`, with More open. */
export async function editMore<P extends EditorProps>(...args: Parameters<typeof edit<P>>) {
  const edited = edit(...args);
  await openMore(edited.user);
  return edited;
}

/** The visible options. Finding them by role would also compute the name of everything else in the page. */
export function options(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[role="option"]')];
}

/** Waits for the option that begins with this text, or whose description begins with it as the name in the API. */
export function option(text: string): Promise<HTMLElement> {
  return waitFor(() => {
    const found =
      options().find((candidate) => candidate.textContent?.startsWith(text)) ??
      options().find((candidate) => candidate.textContent?.includes(`${text} · `));
    if (!found) {
      throw new Error(`no option begins with "${text}": ${options().map((candidate) => candidate.textContent)}`);
    }
    return found;
  });
}

/** Selects the option of a combobox that begins with this text. */
export async function choose(user: UserEvent, box: HTMLElement, text: string) {
  await user.click(box);
  await user.click(await option(text));
}

/** Selects a radio button. */
export async function check(user: UserEvent, testId: string, name: string) {
  await user.click(within(screen.getByTestId(testId)).getByRole('radio', { name }));
}

/** Texts of the options of a combobox. */
export async function offered(user: UserEvent, box: HTMLElement): Promise<string[]> {
  await user.click(box);
  await option('');
  return options().map((candidate) => candidate.textContent ?? '');
}

/** The props of a control of the query editor for this query. */
export function controlFor(query: Partial<InsightsQuery>, more: Partial<ControlProps> = {}) {
  const onChange = jest.fn();
  const props: ControlProps = {
    query: { refId: 'A', ...query },
    dataSet: getDataSet(query.queryType),
    datasource: dataSourceWith().datasource,
    days: 30,
    seenFields: [],
    onChange,
    ...more,
  };
  return { props, onChange };
}
