import '../testing/dom';
import { screen } from '@testing-library/react';

import { newAnnotation } from '../annotations';
import { selectors } from '../selectors';
import { dataSourceWith } from '../testing/datasource';
import { choose, edit } from '../testing/editing';
import { AnnotationEditor } from './AnnotationEditor';

const ids = selectors.annotation;

it('shows which tasks are marked, and at which of their times', () => {
  edit(AnnotationEditor, newAnnotation);
  expect(screen.getByTestId(ids.timeField)).toHaveValue('Last update');
  expect(screen.getByTestId(selectors.query.filterField(0))).toHaveValue('Finish status');
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
