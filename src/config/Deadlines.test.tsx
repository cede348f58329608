import { screen } from '@testing-library/react';
import { type UserEvent } from '@testing-library/user-event';

import { settings } from '../../schema/settings';
import { selectors } from '../selectors';
import { configure } from '../testing/configuring';
import { deadlineProblems } from './deadlineLines';
import { Deadlines } from './Deadlines';

const ids = selectors.config;
const cell = (name: string, line: number) => screen.getByTestId(ids.deadline(`${name}-${line}`));
const problemsOf = (line: unknown) =>
  Object.entries(deadlineProblems(line)).flatMap(([name, text]) => (text ? [name] : []));

async function type(user: UserEvent, name: string, line: number, text: string) {
  await user.type(cell(name, line), text);
}

it('adds a line for each deadline, and removes it', async () => {
  const { user, saved } = configure(Deadlines);
  await user.click(screen.getByTestId(ids.deadlineAdd));
  await type(user, 'automation', 1, 'payroll');
  await type(user, 'by', 1, '07:00');
  await type(user, 'days', 1, 'Mon, tue,fri');
  await type(user, 'timezone', 1, 'America/Sao_Paulo');
  await type(user, 'count', 1, '3');
  await user.click(screen.getByTestId(ids.deadlineAdd));
  await type(user, 'automation', 2, 'nota-*');
  await type(user, 'within', 2, '45m');
  const within = { automation: 'nota-*', within: '45m' };
  expect(saved.options.jsonData.deadlines).toEqual([
    { automation: 'payroll', by: '07:00', days: ['mon', 'tue', 'fri'], timezone: 'America/Sao_Paulo', count: 3 },
    within,
  ]);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();

  await user.clear(cell('count', 1));
  await user.clear(cell('days', 1));
  expect(saved.options.jsonData.deadlines![0]).not.toHaveProperty('count');
  expect(saved.options.jsonData.deadlines![0]).not.toHaveProperty('days');
  await user.click(screen.getByTestId(ids.deadlineRemove(1)));
  expect(saved.options.jsonData.deadlines).toEqual([within]);
  expect(cell('automation', 1)).toHaveValue('nota-*');
  await user.click(screen.getByTestId(ids.deadlineRemove(1)));
  expect(saved.options.jsonData).toStrictEqual({});
  expect(screen.getByTestId(ids.deadlineAdd)).toHaveFocus();
});

it('shows whatever is provisioned, read-only', () => {
  const deadlines = [{ automation: 'a', by: 420, days: 'mon', count: 'few' }, 'payroll by seven'] as never;
  configure(Deadlines, { readOnly: true, jsonData: { deadlines } });
  expect(['automation', 'by', 'days', 'count'].map((name) => cell(name, 1).getAttribute('value'))).toEqual([
    'a',
    '420',
    'mon',
    'few',
  ]);
  expect(cell('by', 1)).toHaveAttribute('aria-invalid', 'true');
  expect(cell('automation', 2)).toHaveValue('payroll by seven');
  expect(cell('automation', 2)).toBeDisabled();
  expect(screen.getByTestId(ids.deadlineAdd)).toBeDisabled();
});

it('says what is wrong below the line, for screen readers at the field', async () => {
  const { user } = configure(Deadlines, { jsonData: { deadlines: [{ automation: 'payroll', by: '7' }] } });
  expect(cell('by', 1)).toHaveAccessibleDescription('Done by: Enter 00:01 to 24:00');
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  await user.type(cell('by', 1), ':30{home}0');
  await user.clear(cell('automation', 1));
  expect(cell('by', 1)).not.toHaveAccessibleDescription();
  expect(cell('automation', 1)).toHaveAccessibleDescription('Automation 1: Enter a label');
});

it.each(['payroll', { payroll: '07:00' }])(
  'shows a setting that is no list until it is replaced: %j',
  async (value) => {
    const { user, saved } = configure(Deadlines, { jsonData: { deadlines: value as never } });
    expect(screen.getByTestId(ids.deadlines)).toHaveDisplayValue(/payroll/);
    expect(screen.getByTestId(ids.deadlines)).toHaveAccessibleDescription(/Must be a list/);
    await user.click(screen.getByTestId(ids.deadlineAdd));
    expect(saved.options.jsonData.deadlines).toEqual([{}]);
    expect(screen.queryByTestId(ids.deadlines)).not.toBeInTheDocument();
  }
);

it.each([
  ['', 0],
  [' ', 0],
  [null, 0],
  [{}, 1],
  [0, 1],
])('shows %j as the backend reads it', (value, shown) => {
  configure(Deadlines, { jsonData: { deadlines: value as never } });
  expect(screen.queryAllByTestId(ids.deadlines)).toHaveLength(shown);
});

it('shows the saved texts after a line is removed, and names each line', async () => {
  const deadlines = [
    { automation: 'a', within: '1h' },
    { automation: 'payroll', within: '1h' },
  ];
  const { user } = configure(Deadlines, { jsonData: { deadlines } });
  expect(screen.getByRole('group', { name: 'Automation 2' })).toContainElement(cell('within', 2));
  await user.clear(cell('automation', 1));
  await type(user, 'automation', 1, 'Payroll');
  await user.click(screen.getByTestId(ids.deadlineRemove(1)));
  expect(cell('automation', 1)).toHaveValue('payroll');
});

// As in pkg/deadlines/deadlines_test.go.
it.each([
  [5, ['automation', 'by']],
  [{}, ['automation', 'by']],
  [{ automation: 'a' }, ['by']],
  [{ automation: 'a', by: '07:00', within: '1h' }, ['by']],
  [{ automation: 'a', by: '7:00' }, ['by']],
  [{ automation: 'a', by: '00:00' }, ['by']],
  [{ automation: 'a', by: '24:01' }, ['by']],
  [{ automation: 'a', by: '07:00', days: ['monday'] }, ['days']],
  [{ automation: 'a', by: '07:00', days: 'mon' }, ['days']],
  [{ automation: 'a', by: '07:00', timezone: 'Sao Paulo' }, ['timezone']],
  [{ automation: 'a', by: '07:00', timezone: 'america/sao_paulo' }, ['timezone']],
  [{ automation: 'a', by: '07:00', timezone: 'us/Pacific' }, ['timezone']],
  [{ automation: 'a', by: '07:00', timezone: 'EUROPE/BERLIN' }, ['timezone']],
  [{ automation: 'a', by: '07:00', timezone: '+03:00' }, ['timezone']],
  [{ automation: 'a', by: '07:00', timezone: 'utc' }, []],
  [{ automation: 'a', by: '07:00', timezone: 'America/Argentina/Buenos_Aires' }, []],
  [{ automation: 'a', by: '07:00', days: {} }, ['days']],
  [{ automation: 'a', by: '07:00', days: ' ' }, []],
  [{ automation: 5, by: '07:00' }, ['automation']],
  [{ automation: 'a', by: 420 }, ['by']],
  [{ automation: 'a', within: 45 }, ['within']],
  [{ automation: 'a', by: '07:00', count: [3] }, ['count']],
  [{ automation: 'a', by: '07:00', count: 'few' }, ['count']],
  [{ automation: 'a', within: '45m', timezone: 'Asia/Aden' }, ['timezone']],
  [{ automation: 'a', by: '07:00', count: 0 }, ['count']],
  [{ automation: 'a', by: '07:00', count: 1.5 }, ['count']],
  [{ automation: 'a', by: '07:00', day: ['mon'] }, ['automation']],
  [{ automation: 'a', within: '45' }, ['within']],
  [{ automation: 'a', within: '30s' }, ['within']],
  [{ automation: 'a', within: '31d' }, ['within']],
  [{ automation: 'a', within: '45m', count: 2 }, ['count']],
  [{ automation: 'a', within: '1h30m' }, []],
  [{ automation: ' a ', by: ' 24:00 ', days: ['MON'], timezone: '', count: ' 3 ', within: '' }, []],
])('marks what the backend refuses in %j', (line, names) => {
  expect(problemsOf(line)).toEqual(names);
});

it('marks nothing in the example', () => {
  const { example } = settings.deadlines as { example?: unknown[] };
  expect(example!.flatMap(problemsOf)).toEqual([]);
});
