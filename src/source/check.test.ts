import { act, renderHook } from '@testing-library/react';

import { config, HealthStatus } from '@grafana/runtime';

import { type Finding } from '../../schema/findings';
import { type Check, checkOf, findingText, publishReport, useReport } from './check';

const summary: Finding = {
  key: 'connected',
  severity: 'ok',
  text: 'in English',
  values: { organization: 'acme & sons', tasks: 12_345, days: 30 },
};
const clock: Finding = { key: 'clock-ahead', severity: 'warning', text: 'in English', values: { seconds: 300 } };
const runners: Finding = {
  key: 'rows',
  severity: 'ok',
  text: 'in English',
  values: { set: 'Runners', rows: 5, days: 30 },
};

const ok = (report: Finding[]): Check =>
  checkOf({ status: HealthStatus.OK, message: 'in English', details: { summary, report } });

const failed = (details: object): Check => checkOf({ status: HealthStatus.Error, message: 'in English', details });

describe('a successful check', () => {
  it('says so, and lists its findings, a line each', () => {
    const { status, message, details } = ok([runners]);
    expect(status).toBe('success');
    expect(message).toBe('Connected to organization "acme & sons". Tasks in the last 30 days: 12,345.');
    expect(details.message).toBeUndefined();
    expect(details.verboseMessage).toBe('✓ Runners: 5 in the last 30 days.');
  });

  it('is a warning if a finding needs attention, which is visible without a click', () => {
    const { status, details } = ok([runners, clock]);
    expect(status).toBe('warning');
    expect(details.message).toMatch(/^Service clock: 300 s ahead/);
    expect(details.verboseMessage?.split('\n')).toEqual([
      expect.stringMatching(/^✓ Runners/),
      expect.stringMatching(/^! Service clock/),
    ]);
  });

  it('of a different backend version shows its message', () => {
    const check = checkOf({ status: HealthStatus.OK, message: 'Connected' });
    expect(check).toMatchObject({ status: 'success', message: 'Connected', report: [] });
  });
});

describe('a check that failed', () => {
  it.each([
    ['login', 'Login failed: no & no'],
    ['page', 'Login succeeded, but reading tasks failed: no & no'],
    ['settings', 'Settings: no & no'],
  ])('at step %s names the step', (step, expected) => {
    expect(failed({ step, error: 'no & no' })).toMatchObject({ status: 'error', message: expected });
  });

  it('reports everything that is wrong with the settings', () => {
    const report = [
      { key: 'login-empty', severity: 'error', text: 'in English', setting: 'login' },
      { severity: 'error', text: 'Timeout is 0' },
    ];
    expect(failed({ step: 'settings', error: 'in English', report }).message).toBe(
      'Settings: Login is empty: enter the login value from the developer environment page of the workspace; Timeout is 0'
    );
  });

  it("shows Grafana's message if the backend does not respond", () => {
    expect(failed({}).message).toBe('in English');
  });
});

describe('findingText', () => {
  it('shows a finding that this page does not know in English', () => {
    expect(findingText({ key: 'new', severity: 'info', text: 'What is new' })).toBe('What is new');
  });

  it('translates names of data sets and formats numbers', () => {
    const bootData = config.bootData;
    config.bootData = { user: { language: 'pt-BR' } } as typeof bootData;
    expect(findingText(summary)).toContain('12.345');
    config.bootData = bootData;
    const values = { sets: 'Automations, Runners', seconds: 30 };
    expect(findingText({ key: 'unchecked', severity: 'warning', text: '', values })).toMatch(
      /: Automations, Runners\./
    );
  });
});

it('passes a report to the page of its data source', () => {
  const { result } = renderHook(() => useReport('one'));
  expect(result.current).toEqual([]);
  act(() => publishReport('another', [clock]));
  expect(result.current).toEqual([]);
  act(() => publishReport('one', [runners]));
  expect(result.current).toEqual([runners]);
});
