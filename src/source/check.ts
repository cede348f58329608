import { useSyncExternalStore } from 'react';

import { t } from '@grafana/i18n';
import { config, HealthStatus } from '@grafana/runtime';

import { type Finding, sentences, type Severity } from '../../schema/findings';
import { translate } from '../query/texts';

type Health = { status: HealthStatus; message: string; details?: object };

interface Details {
  message?: string;
  verboseMessage?: string;
  step?: 'settings' | 'login' | 'page';
  /** Why it didn't get further, in English. */
  error?: string;
  summary?: Finding;
  report?: Finding[];
}

/** A check in the user's language. Grafana shows `details.message` and, after a click, `details.verboseMessage`. */
export interface Check {
  status: 'success' | 'warning' | 'error';
  message: string;
  details: Details;
  report: Finding[];
}

/** A check as the page shows it. */
export function checkOf({ status, message, details: raw = {} }: Health): Check {
  const details: Details = raw;
  const report = details.report ?? [];
  const ok = status === HealthStatus.OK;
  const warnings = report.filter(({ severity }) => severity === 'warning').map(findingText);
  return {
    status: ok ? (warnings.length > 0 ? 'warning' : 'success') : 'error',
    message: ok ? (details.summary ? findingText(details.summary) : message) : failureText(message, details),
    details: {
      ...details,
      message: ok ? warnings.join(' ') || undefined : details.message,
      verboseMessage: ok ? report.map(reportLine).join('\n') : details.verboseMessage,
    },
    report,
  };
}

const marks: Record<Severity, string> = { ok: '✓', info: '·', warning: '!', error: '✗' };

const reportLine = (finding: Finding): string => `${marks[finding.severity]} ${findingText(finding)}`;

/** A finding in the user's language, or in English if this page doesn't know it. */
export function findingText({ key = '', text, values }: Finding): string {
  if (!(key in sentences)) {
    return text;
  }
  const shown = Object.entries(values ?? {}).map(([name, value]) => [name, valueText(name, value)]);
  return translate(sentences[key], { ...Object.fromEntries(shown), interpolation: { escapeValue: false } });
}

function valueText(name: string, value: string | number): string {
  if (typeof value === 'number') {
    return new Intl.NumberFormat(config.bootData?.user?.language || undefined).format(value);
  }
  return name === 'set' || name === 'sets'
    ? value
        .split(', ')
        .map((label) => translate(label))
        .join(', ')
    : value;
}

function failureText(message: string, { step, error, report = [] }: Details): string {
  const values = {
    error: step === 'settings' && report.length > 0 ? report.map(findingText).join('; ') : error,
    interpolation: { escapeValue: false },
  };
  switch (error && step) {
    case 'settings':
      return t('check.settings', 'Settings: {{error}}', values);
    case 'login':
      return t('check.login', 'Login failed: {{error}}', values);
    case 'page':
      return t('check.page', 'Login succeeded, but reading tasks failed: {{error}}', values);
    default:
      return message;
  }
}

// The settings page and the data source that it tests have no reference to each other, so the report is shared here.

const reports = new Map<string, Finding[]>();
const listeners = new Set<() => void>();
const nothing: Finding[] = [];

/** Publishes the findings of the last check of a data source. */
export function publishReport(uid: string, report: Finding[]): void {
  reports.set(uid, report);
  listeners.forEach((listener) => listener());
}

/** The findings of the last check of a data source since the page was loaded. */
export function useReport(uid: string): Finding[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => reports.get(uid) ?? nothing
  );
}
