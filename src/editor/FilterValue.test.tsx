import '../testing/dom';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { type Filter } from '../query';
import { controlFor } from '../testing/control';
import { dataSourceWith } from '../testing/datasource';
import { offered, option } from '../testing/editing';
import { FilterValue } from './FilterValue';

const states = ['FINISHED', 'START'].map((value) => ({ value, text: value }));

function draw(filter: Partial<Filter>, ...source: Parameters<typeof dataSourceWith>) {
  const { datasource, getResource } = dataSourceWith(...source);
  const onChange = jest.fn();
  const { props } = controlFor({}, { datasource, days: 7 });
  const full: Filter = { key: 'state', operator: '=', ...filter };
  render(<FilterValue {...props} filter={full} index={0} onChange={onChange} />);
  return { user: userEvent.setup({ delay: null }), box: screen.getByRole('combobox'), onChange, getResource };
}

it('suggests values that exist, and variables', async () => {
  const { user, box } = draw({}, states, { state: { value: 'x' } });
  expect(await offered(user, box)).toEqual(['(no value)', 'FINISHED', 'START', '${state}']);
});

it('asks for values that contain what was typed', async () => {
  const { user, box, getResource } = draw({}, states, { start: { value: 'x' }, end: { value: 'y' } });
  await user.type(box, 'st');
  await waitFor(() => expect(getResource).toHaveBeenCalled());
  expect(getResource).toHaveBeenLastCalledWith(
    'values',
    { queryType: 'tasks', field: 'state', days: 7, search: 'st' },
    { showErrorAlert: false }
  );
  await option('${start}');
  expect(screen.queryByText('${end}')).not.toBeInTheDocument();
  expect(screen.queryByText('(no value)')).not.toBeInTheDocument();
});

it.each(['=~', '!~', '<', '>'] as const)('has no "no value" for %s, which would not find it', async (operator) => {
  const { user, box } = draw({ operator }, states);
  expect(await offered(user, box)).toEqual(['FINISHED', 'START']);
});

it('goes on without suggestions, and says why there are none', async () => {
  const { user, box, onChange } = draw({ operator: '=~' }, new Error('the service is down'));
  expect(await offered(user, box)).toEqual(['No suggestionsthe service is down']);
  await user.type(box, 'F.*{Enter}');
  expect(onChange).toHaveBeenCalledWith({ key: 'state', operator: '=~', value: 'F.*' });
});

it.each([
  ['START', ['START']],
  ['OTHER', ['START', 'OTHER']],
])('adds %s to several values, each of which is there once', async (text, values) => {
  const { user, box, onChange } = draw({ operator: '=|', values: ['START'] }, states);
  await user.type(box, `${text}{Enter}`);
  expect(onChange.mock.calls).toEqual([[{ key: 'state', operator: '=|', values }]]);
});
