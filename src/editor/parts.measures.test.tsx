import '../testing/dom';
import { screen } from '@testing-library/react';

import { CoreApp } from '@grafana/data';

import { selectors } from '../selectors';
import { choose, edit, offered, only } from '../testing/editing';
import { controls } from './parts';
import { QueryEditor } from './QueryEditor';

const ids = selectors.query;
const More = only(controls.measures);
const control = (id: string) => screen.getByTestId(id);

it('adds measures beside the first, which is saved as ever if it is the only one', async () => {
  const { user, saved } = edit(QueryEditor, { format: 'numeric', measure: 'tasks', groupBy: ['activityLabel'] });
  await choose(user, control(ids.measures), 'Failed tasks');
  expect(saved.query).toMatchObject({ measures: ['tasks', 'failedTasks'] });
  expect(saved.query).not.toHaveProperty('measure');
  await choose(user, control(ids.measure), 'Mean duration');
  expect(saved.query).toMatchObject({ measures: ['duration', 'failedTasks'] });
  await choose(user, control(ids.measures), 'Failed tasks');
  expect(saved.query).toMatchObject({ measure: 'duration' });
  expect(saved.query).not.toHaveProperty('measures');
});

it('offers what a comparison says of the selected measures', async () => {
  const query = { format: 'numeric', measures: ['tasks', 'successRate'] } as const;
  const { user } = edit(More, { ...query, measures: [...query.measures], compare: 'week' });
  const names = await offered(user, control(ids.measures));
  expect(names.slice(0, 6)).toEqual([
    ...['Tasks before', 'Tasks ± %', 'Tasks ±'],
    ...['Success rate of tasks before', 'Success rate of tasks ± %', 'Success rate of tasks ±'],
  ]);
});

it('is about one measure in a rule, unless several are saved', () => {
  edit(QueryEditor, { format: 'numeric', measure: 'tasks' }, { app: CoreApp.UnifiedAlerting });
  expect(screen.queryByTestId(ids.measures)).not.toBeInTheDocument();
});
