import './testing/dom';
import { screen, within } from '@testing-library/react';
import { version } from 'react';
import { version as rendererVersion } from 'react-dom';

import { newAnnotation } from './query/newAnnotation';
import { ConfigEditor } from './config/ConfigEditor';
import { AnnotationEditor } from './editor/AnnotationEditor';
import { QueryEditor } from './editor/QueryEditor';
import { VariableEditor } from './editor/VariableEditor';
import { selectors } from './selectors';
import { configure } from './testing/configuring';
import { dataSourceWith } from './testing/datasource';
import { check, choose, edit, openMore } from './testing/editing';

// Before 13.2, Grafana has React 18: here, every editor is used once with it. What else the editors do, their own tests
// say, with React 19.

const control = (id: string) => screen.getByTestId(id);

test('these tests use React 18', () => {
  expect(version.split('.')[0]).toBe('18');
  expect(rendererVersion).toBe(version);
});

describe('the query editor', () => {
  const ids = selectors.query;

  it('changes what is queried, and shows what that reset', async () => {
    const { user, saved, onRunQuery } = edit(QueryEditor, { sort: { field: 'totalItems', order: 'desc' } });
    await check(user, ids.dataSet, 'Automations');
    expect(control(ids.reset)).toHaveTextContent(/^Reset, .*: Sort by$/);
    await user.click(within(control(ids.reset)).getByRole('button'));
    expect(screen.queryByTestId(ids.reset)).not.toBeInTheDocument();

    await user.click(within(control(ids.format)).getByRole('radio', { name: 'Time series' }));
    await choose(user, control(ids.per), 'Week');
    expect(control(ids.stepHelp)).toHaveTextContent('a week is 7 days');
    await user.click(within(control(ids.format)).getByRole('radio', { name: 'Number' }));
    await choose(user, control(ids.groupBy), 'repositoryLabel');
    expect(saved.query).toEqual({
      ...{ refId: 'A', queryType: 'automations', format: 'numeric', measure: 'taskCount' },
      groupBy: ['repositoryLabel'],
    });
    expect(onRunQuery).toHaveBeenCalledTimes(5);
  });

  it('fills itself from a preset', async () => {
    const { user, saved } = edit(QueryEditor);
    await user.click(control(ids.presets));
    await user.click(await screen.findByTestId(ids.preset('top-automations')));
    expect(saved.query.limit).toBe(10);
  });

  it('edits filters', async () => {
    const { datasource } = dataSourceWith([{ value: 'START', text: 'START' }]);
    const { user, saved } = edit(QueryEditor, {}, { datasource });
    await user.click(control(ids.filterAdd));
    await choose(user, control(ids.filterField(0)), 'state');
    await choose(user, control(ids.filterValue(0)), 'START');
    await choose(user, control(ids.filterOperator(0)), '=|');
    await user.type(control(ids.filterValue(0)), 'run{Enter}');
    expect(saved.query.filters).toEqual([{ key: 'state', operator: '=|', values: ['START', 'RUNNING'] }]);
    await user.click(control(ids.filterRemove(0)));
    expect(saved.query).toEqual({ refId: 'A' });
  });

  it('edits what is in More', async () => {
    const { user, saved } = edit(QueryEditor);
    await openMore(user);
    await user.type(control(ids.days), 'x{Enter}');
    expect(screen.getByText(/"x" is not allowed/)).toBeInTheDocument();
    await user.clear(control(ids.days));
    await user.type(control(ids.days), '30');
    await user.tab();
    expect(screen.queryByText(/is not allowed/)).not.toBeInTheDocument();
    await user.type(control(ids.limit), '10{Enter}');
    await choose(user, control(ids.sort), 'State');
    await user.click(within(control(ids.order)).getByRole('radio', { name: 'Descending' }));
    await choose(user, control(ids.timeField), 'dateLastModified');
    expect(saved.query).toEqual({
      ...{ refId: 'A', days: 30, limit: 10, timeField: 'dateLastModified' },
      sort: { field: 'state', order: 'desc' },
    });
  });
});

it('edits annotations', async () => {
  const { user, saved } = edit(AnnotationEditor, newAnnotation);
  await choose(user, control(selectors.query.timeField), 'dateCreation');
  await user.type(control(selectors.query.search), 'invoices{Enter}');
  await user.click(control(selectors.query.filterRemove(0)));
  expect(saved.query).toEqual({ refId: 'A', queryType: 'tasks', search: 'invoices' });
});

it('edits variables', async () => {
  const { user, saved } = edit(VariableEditor, { queryType: 'tasks', field: 'state' } as object);
  await choose(user, control(selectors.query.field), 'machineId');
  await user.type(control(selectors.query.search), 'bot{Tab}');
  expect(saved.query).toEqual({ refId: 'A', queryType: 'tasks', field: 'machineId', search: 'bot' });
});

describe('the config editor', () => {
  const ids = selectors.config;

  it('edits settings and secrets', async () => {
    const { user, saved } = configure(ConfigEditor, { secureJsonFields: { key: true } });
    await user.type(control(ids.url), 'http');
    expect(control(ids.url)).toHaveAccessibleDescription(/must start with http/);
    await user.click(screen.getByRole('button', { name: 'Reset Key' }));
    await user.type(control(ids.key), 'secret');
    expect(saved.options.secureJsonData).toEqual({ key: 'secret' });

    await user.click(screen.getByText('Advanced'));
    await user.type(control(ids.timeout), '45');
    await user.type(control(ids.maxRows), '0');
    expect(control(ids.maxRows)).toHaveAccessibleDescription(/"0" is not allowed/);
    await user.click(control(ids.incrementalQuerying));
    await user.click(screen.getByRole('radio', { name: '0 to 100' }));
    await user.click(control(ids.tlsAuthWithCACert));
    await user.type(control(ids.tlsCACert), 'ca');
    await user.click(control(ids.headerAdd));
    await user.type(control(ids.headerName(1)), 'X');
    expect(saved.options.jsonData).toEqual({
      ...{ timeout: 45, maxRows: '0', incrementalQuerying: false, rateScale: 'percent', tlsAuthWithCACert: true },
      httpHeaderName1: 'X',
    });
  });
});
