import '../testing/dom';
import { render, screen, within } from '@testing-library/react';
import React from 'react';

import { type Annotation, newAnnotation } from '../query/newAnnotation';
import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { check, choose, edit } from '../testing/editing';
import { AnnotationEditor } from './AnnotationEditor';

const ids = selectors.query;

it('shows which tasks are marked, and at which of their times', () => {
  edit(AnnotationEditor, newAnnotation);
  expect(screen.getByTestId(ids.timeField)).toHaveValue('Last update');
  expect(screen.getByTestId(selectors.query.filterField(0))).toHaveDisplayValue(/^outcome$/i);
  expect(screen.getByTestId(selectors.query.filterValue(0))).toHaveValue('FAILED');
});

it('changes all of that, and runs', async () => {
  const { datasource } = dataSourceWith([{ value: 'invoices', text: 'Invoices' }]);
  const { user, saved, onRunQuery } = edit(AnnotationEditor, newAnnotation, { datasource });
  await choose(user, screen.getByTestId(ids.search), 'invoices');
  await choose(user, screen.getByTestId(ids.timeField), 'dateCreation');
  await user.click(screen.getByTestId(selectors.query.filterRemove(0)));
  expect(saved.query).toEqual({ refId: 'A', queryType: 'tasks', search: 'invoices' });
  expect(onRunQuery).toHaveBeenCalledTimes(3);
});

it('runs nothing when the same time field is chosen again', async () => {
  const { user, changes, onRunQuery } = edit(AnnotationEditor, newAnnotation);
  await choose(user, screen.getByTestId(ids.timeField), 'Last update');
  expect(changes).toEqual([]);
  expect(onRunQuery).not.toHaveBeenCalled();
});

it('shows what is saved by hand, such as a comparison that the backend refuses, and removes it', async () => {
  const { user, saved } = edit(AnnotationEditor, { ...newAnnotation, format: 'attention', compare: 'week', limit: 5 });
  expect(within(screen.getByTestId(selectors.query.format)).getByRole('radio', { checked: true })).toHaveAccessibleName(
    'Needs attention'
  );
  expect(screen.getByTestId(selectors.query.compare)).toHaveValue('Previous week');
  await user.click(screen.getAllByRole('button', { name: 'Clear value' }).at(-1) as HTMLElement);
  await user.clear(screen.getByTestId(selectors.query.limit));
  await user.tab();
  await check(user, selectors.query.format, 'Table');
  expect(saved.query).toEqual({ refId: 'A', ...newAnnotation });
  expect(screen.queryByTestId(selectors.query.compare)).not.toBeInTheDocument();
});

it('fills in a new annotation that still has the query of the data source that was selected before', () => {
  const { datasource } = dataSourceWith([]);
  const unprepared = { name: 'New', enable: true, iconColor: 'red', target: { refId: 'Anno', expr: '' } };
  const onAnnotationChange = jest.fn();
  const editorOf = (annotation: Annotation) => (
    <AnnotationEditor
      query={{ refId: 'Anno', ...annotation.target }}
      datasource={datasource}
      onChange={jest.fn()}
      onRunQuery={jest.fn()}
      annotation={annotation}
      onAnnotationChange={onAnnotationChange}
    />
  );
  const { rerender } = render(editorOf(unprepared));
  const prepared = { ...unprepared, target: { refId: 'Anno', ...newAnnotation } };
  expect(onAnnotationChange.mock.calls).toEqual([[prepared]]);
  rerender(editorOf(prepared));
  expect(onAnnotationChange).toHaveBeenCalledTimes(1);
});
