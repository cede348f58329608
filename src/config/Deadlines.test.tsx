import { act, screen } from '@testing-library/react';
import { type UserEvent } from '@testing-library/user-event';

import { selectors } from '../selectors';
import { publishReport } from '../source/check';
import { configure } from '../testing/configuring';
import { Calendar } from './Calendar';
import { ConfigEditor } from './ConfigEditor';
import { Deadlines, Teams } from './Deadlines';

const ids = selectors.config;
const cell = (name: string, line: number) => screen.getByTestId(ids.line(`deadlines-${name}-${line}`));

async function type(user: UserEvent, name: string, line: number, text: string) {
  await user.type(cell(name, line), text);
}

it('adds a line for each deadline, and removes it', async () => {
  const { user, saved } = configure(Deadlines);
  await user.click(screen.getByTestId(ids.lineAdd('deadlines')));
  await type(user, 'automation', 1, 'payroll');
  await type(user, 'by', 1, '07:00');
  await type(user, 'days', 1, 'Mon, workday 5,last workday 15');
  await type(user, 'from', 1, '4d');
  await type(user, 'timezone', 1, 'America/Sao_Paulo');
  await type(user, 'count', 1, '3');
  await user.click(screen.getByTestId(ids.lineAdd('deadlines')));
  await type(user, 'automation', 2, 'nota-*');
  await type(user, 'within', 2, '45m');
  const within = { automation: 'nota-*', within: '45m' };
  expect(saved.options.jsonData.deadlines).toEqual([
    {
      ...{ automation: 'payroll', by: '07:00', from: '4d', days: ['mon', 'workday 5', 'last workday', '15'] },
      ...{ timezone: 'America/Sao_Paulo', count: 3 },
    },
    within,
  ]);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();

  await user.clear(cell('count', 1));
  await user.clear(cell('days', 1));
  expect(saved.options.jsonData.deadlines![0]).not.toHaveProperty('count');
  expect(saved.options.jsonData.deadlines![0]).not.toHaveProperty('days');
  await user.click(cell('remove', 1));
  expect(saved.options.jsonData.deadlines).toEqual([within]);
  expect(cell('automation', 1)).toHaveValue('nota-*');
  await user.click(cell('remove', 1));
  expect(saved.options.jsonData).toStrictEqual({});
  expect(screen.getByTestId(ids.lineAdd('deadlines'))).toHaveFocus();
});

it('takes several lines, and cells beside each other, that are pasted from a spreadsheet', async () => {
  const { user, saved } = configure(Teams, {
    jsonData: { teams: [{ automation: 'x', team: 'HR' }, { automation: 'y' }] },
  });
  await user.click(screen.getByTestId(ids.line('teams-automation-1')));
  await user.paste('pay*\tFinance\tunused\r\ninvoices\tBilling\r\n*\tOperations\r\n');
  expect(saved.options.jsonData.teams).toEqual([
    { automation: 'pay*', team: 'Finance' },
    { automation: 'invoices', team: 'Billing' },
    { automation: '*', team: 'Operations' },
  ]);
  await user.click(screen.getByTestId(ids.line('teams-team-2')));
  await user.paste('A');
  expect(saved.options.jsonData.teams?.[1]).toEqual({ automation: 'invoices', team: 'BillingA' });
});

it('moves lines of teams, of which the first one that matches counts, and keeps the focus', async () => {
  const teams = [
    { automation: '*', team: 'Operations' },
    { automation: 'pay*', team: 'HR' },
  ];
  const { user, saved } = configure(Teams, { jsonData: { teams } });
  expect(screen.getByRole('button', { name: 'Move Teams, line 1 up' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Move Teams, line 2 down' })).toBeDisabled();
  await user.click(screen.getByTestId(ids.lineAdd('teams')));
  await user.type(screen.getByTestId(ids.line('teams-automation-3')), 'payroll');
  await user.type(screen.getByTestId(ids.line('teams-team-3')), 'Finance');
  await user.click(screen.getByRole('button', { name: 'Move Teams, line 3 up' }));
  expect(screen.getByRole('button', { name: 'Move Teams, line 2 up' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('button', { name: 'Move Teams, line 1 down' })).toHaveFocus(); // It can't be moved further up.
  await user.click(screen.getByRole('button', { name: 'Move Teams, line 2 down' }));
  expect(screen.getByRole('button', { name: 'Move Teams, line 3 up' })).toBeEnabled();
  expect(saved.options.jsonData.teams).toEqual([{ automation: 'payroll', team: 'Finance' }, teams[1], teams[0]]);

  const text = 'Teams (jsonData.teams): automations without a team: 1 (tax).';
  act(() => publishReport(saved.options.uid, [{ severity: 'info', setting: 'teams', text }]));
  expect(screen.getByText(text)).toBeInTheDocument();
});

it('loses nothing of a line or the calendar when something else is changed', async () => {
  const line = { automation: 'salaries', by: '18:00', from: '4d', days: ['workday 5', 20], note: 'x' };
  const calendar = { timezone: 'America/Sao_Paulo', workdays: ['mon'], holidays: ['12-25 Natal'], more: 1 };
  const jsonData = { deadlines: [line as never], calendar };
  const { user, saved } = configure(ConfigEditor, { jsonData });
  expect(cell('days', 1)).toHaveValue('workday 5, 20');
  expect(cell('from', 1)).toHaveValue('4d');
  await type(user, 'count', 1, '2');
  await user.click(screen.getByTestId(ids.workday('sat')));
  const expected = { ...calendar, workdays: ['mon', 'sat'] };
  expect(saved.options.jsonData).toEqual({ deadlines: [{ ...line, count: 2 }], calendar: expected });
});

it('has a calendar: zone, workdays, and holidays, one a line', async () => {
  const { user, saved } = configure(Calendar);
  const holidays = screen.getByLabelText(/Holidays, one a line/);
  await user.click(holidays);
  await user.paste('2026-04-03 Sexta-feira Santa\n\n12-25 Natal\n');
  await user.type(holidays, '01-01');
  await user.type(screen.getByTestId(ids.calendarZone), 'UTC');
  expect(screen.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).checked)).toEqual([
    ...Array(5).fill(true),
    ...Array(2).fill(false),
  ]);
  expect(holidays).toHaveValue('2026-04-03 Sexta-feira Santa\n\n12-25 Natal\n01-01');
  await user.click(screen.getByLabelText('Fri'));
  const workdays = ['mon', 'tue', 'wed', 'thu'];
  const lines = ['2026-04-03 Sexta-feira Santa', '12-25 Natal', '01-01'];
  expect(saved.options.jsonData.calendar).toEqual({ timezone: 'UTC', workdays, holidays: lines });
  await user.click(screen.getByLabelText('Fri'));
  await user.clear(holidays);
  await user.clear(screen.getByTestId(ids.calendarZone));
  expect(saved.options.jsonData).toStrictEqual({});
});

it.each(['never', { workdays: 7, holidays: '12-25' }])('shows a calendar of other types: %j', (calendar) => {
  configure(Calendar, { jsonData: { calendar: calendar as never } });
  expect(screen.getByTestId(ids.holidays)).toHaveValue(typeof calendar === 'string' ? '' : '12-25');
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
  expect(cell('automation', 2)).toHaveValue('payroll by seven');
  expect(cell('automation', 2)).toBeDisabled();
  expect(screen.getByTestId(ids.lineAdd('deadlines'))).toBeDisabled();
});

it('says below the lines what the last check found', () => {
  configure(Deadlines, { uid: 'due', jsonData: { deadlines: [{ automation: 'payroll', by: '7' }] } } as never);
  const text = "Deadline 1 can't be judged: by is 7";
  act(() => publishReport('due', [{ severity: 'warning', setting: 'deadlines', text }]));
  expect(screen.getByRole('alert')).toHaveTextContent(text);
});

it('keeps a line that is a text when another field is filled in', async () => {
  const { user, saved } = configure(Deadlines, { jsonData: { deadlines: ['payroll' as never] } });
  await type(user, 'within', 1, '9');
  expect(saved.options.jsonData.deadlines).toEqual([{ automation: 'payroll', within: '9' }]);
});

it.each(['payroll', { payroll: '07:00' }])(
  'shows a setting that is no list until it is replaced: %j',
  async (value) => {
    const { user, saved } = configure(Deadlines, { jsonData: { deadlines: value as never } });
    expect(screen.getByTestId(ids.lines('deadlines'))).toHaveDisplayValue(/payroll/);
    expect(screen.getByTestId(ids.lines('deadlines'))).toHaveAccessibleDescription(/Must be a list/);
    await user.click(screen.getByTestId(ids.lineAdd('deadlines')));
    expect(saved.options.jsonData.deadlines).toEqual([{}]);
    expect(screen.queryByTestId(ids.lines('deadlines'))).not.toBeInTheDocument();
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
  expect(screen.queryAllByTestId(ids.lines('deadlines'))).toHaveLength(shown);
});

it('shows the saved texts after a line is removed, and names each line', async () => {
  const deadlines = [
    { automation: 'a', within: '1h' },
    { automation: 'payroll', within: '1h' },
  ];
  const { user } = configure(Deadlines, { jsonData: { deadlines } });
  expect(screen.getByRole('group', { name: 'Deadlines, line 2' })).toContainElement(cell('within', 2));
  await user.clear(cell('automation', 1));
  await type(user, 'automation', 1, 'Payroll');
  await user.click(cell('remove', 1));
  expect(cell('automation', 1)).toHaveValue('payroll');
});

it('ticks the workdays that count: those of a calendar without any are the usual ones', async () => {
  const calendar = { workdays: ['Sat', ' sun'] };
  const { user, saved } = configure(Calendar, { jsonData: { calendar } });
  await user.click(screen.getByLabelText('Mon'));
  expect(saved.options.jsonData.calendar).toEqual({ workdays: ['mon', 'sat', 'sun'] });
  for (const day of ['Mon', 'Sat', 'Sun']) {
    await user.click(screen.getByLabelText(day));
  }
  expect(saved.options.jsonData.calendar).toEqual({ workdays: ['sun'] });
  expect(screen.getByLabelText('Sun')).toBeChecked();
});
