import { act, renderHook } from '@testing-library/react';

import { config, HealthStatus } from '@grafana/runtime';

import { type Finding } from '../findings/findings';
import { type Check, checkOf, noteUnsaved, publishReport, sayFinding, unsavedSettings, useReport } from './check';

const said: Finding = {
  key: 'connected',
  severity: 'ok',
  text: 'in English',
  values: { organization: 'acme & sons', tasks: 12_345, days: 30 },
};
const clock: Finding = { key: 'clock-ahead', severity: 'warning', text: 'in English', values: { seconds: 300 } };
const runners: Finding = { key: 'runners', severity: 'ok', text: 'in English', values: { rows: 5, path: '/r' } };

const ok = (report: Finding[], unsaved: string[] = []): Check =>
  checkOf({ status: HealthStatus.OK, message: 'in English', details: { said, report } }, unsaved);

const failed = (details: object, unsaved: string[] = []): Check =>
  checkOf({ status: HealthStatus.Error, message: 'in English', details }, unsaved);

describe('a check that went well', () => {
  it('says so, and what it found, a line each', () => {
    const { status, message, details } = ok([runners]);
    expect(status).toBe('success');
    expect(message).toBe('Connected to organization "acme & sons": 12,345 tasks in the last 30 days.');
    expect(details.message).toBeUndefined();
    expect(details.verboseMessage).toBe('✓ Runners: 5, found at /r.');
  });

  it('is a warning where there is something to look at, which is not behind a click', () => {
    const { status, details } = ok([runners, clock]);
    expect(status).toBe('warning');
    expect(details.message).toMatch(/^Service clock: 300 s ahead/);
    expect(details.verboseMessage?.split('\n')).toEqual([
      expect.stringMatching(/^✓ Runners/),
      expect.stringMatching(/^! Clock/),
    ]);
  });

  it('is a warning where settings of the page were not saved', () => {
    const { status, message } = ok([runners], ['Timeout', 'Max rows']);
    expect(status).toBe('warning');
    expect(message).toMatch(/30 days\. Not saved, because their values are not allowed: Timeout, Max rows\.$/);
  });

  it('of an older backend, or another, says what that says', () => {
    const check = checkOf({ status: HealthStatus.OK, message: 'Connected' }, []);
    expect(check).toMatchObject({ status: 'success', message: 'Connected', report: [] });
  });
});

describe('a check that failed', () => {
  it.each([
    ['login', 'Login failed: no & no'],
    ['page', 'Login succeeded, but reading tasks failed: no & no'],
    ['settings', 'Settings: no & no'],
  ])('at step %s says which', (step, expected) => {
    expect(failed({ step, error: 'no & no' })).toMatchObject({ status: 'error', message: expected });
  });

  it('says all that is wrong with the settings', () => {
    const report = [
      { key: 'login-empty', severity: 'error', text: 'in English', setting: 'login' },
      { severity: 'error', text: 'Timeout is 0' },
    ];
    expect(failed({ step: 'settings', error: 'in English', report }).message).toBe(
      'Settings: Login is empty: enter the login value from the developer environment page of the workspace; Timeout is 0'
    );
  });

  it('says which settings of the page were not saved, too', () => {
    expect(failed({ step: 'login', error: 'no' }, ['Timeout']).message).toMatch(
      /^Login failed: no\. Not saved, .*Timeout/
    );
  });

  it('says what Grafana says where the backend does not answer', () => {
    expect(failed({}).message).toBe('in English');
  });
});

describe('sayFinding', () => {
  it('says one that this page does not know in English', () => {
    expect(sayFinding({ key: 'new', severity: 'info', text: 'What is new' })).toBe('What is new');
  });

  it('names data sets and writes numbers as the language does', () => {
    const bootData = config.bootData;
    config.bootData = { user: { language: 'pt-BR' } } as typeof bootData;
    expect(sayFinding(said)).toContain('12.345');
    config.bootData = bootData;
    const dates: Finding = { key: 'dates', severity: 'ok', text: '', values: { set: 'Tasks', formats: 'YYYY' } };
    expect(sayFinding(dates)).toBe('Tasks: dates have the format YYYY.');
  });
});

it('keeps note of what is not saved until it can be', () => {
  noteUnsaved('a', 'Timeout');
  noteUnsaved('b', 'Max rows');
  noteUnsaved('a', undefined);
  expect(unsavedSettings()).toEqual(['Max rows']);
  noteUnsaved('b', undefined);
});

it('hands a report over to the page of its data source', () => {
  const { result } = renderHook(() => useReport('one'));
  expect(result.current).toEqual([]);
  act(() => publishReport('another', [clock]));
  expect(result.current).toEqual([]);
  act(() => publishReport('one', [runners]));
  expect(result.current).toEqual([runners]);
});
