import { difference, isPlainObject } from 'lodash';

import { t } from '@grafana/i18n';

import { type Deadline } from '../../schema/settings';
import { isEmpty } from '../query';
import { readWholeNumber } from '../numbers';
import { textOf } from './options';

/** The properties of a line, in their order. */
export const deadlineNames = ['automation', 'by', 'days', 'timezone', 'count', 'within'] as const;
export type DeadlineName = (typeof deadlineNames)[number];

/** Those whose values are texts. */
const texts = ['automation', 'by', 'timezone', 'within'] as const;

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** A line as the texts of its fields. A provisioned line may be anything. */
export function textsOf(line: unknown): Record<DeadlineName, string> {
  const values = propertiesOf(line);
  const shown = Object.fromEntries(deadlineNames.map((name) => [name, textOf(values?.[name])]));
  const days = Array.isArray(values?.days) ? { days: values.days.map(textOf).join(', ') } : {};
  return { ...shown, ...days, ...(values ? {} : { automation: textOf(line) }) } as Record<DeadlineName, string>;
}

function propertiesOf(line: unknown): Record<string, unknown> | undefined {
  return isPlainObject(line) ? (line as Record<string, unknown>) : undefined;
}

/** The words of a text, such as days. */
export function wordsIn(text = ''): string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
}

/** Sets a property of a line. An empty text removes it, and days are a list. */
export function setDeadline(line: Deadline, name: DeadlineName, value: string | number): Deadline {
  const changed: Record<string, unknown> = {
    ...propertiesOf(line),
    [name]: name === 'days' ? wordsIn(String(value)) : value,
  };
  if (isEmpty(changed[name])) {
    delete changed[name];
  }
  return changed as Deadline;
}

/** What the backend refuses about a line, by the field that shows it. */
export function deadlineProblems(line: unknown): Partial<Record<DeadlineName, string>> {
  const { automation, by, days, timezone, count, within } = textsOf(line);
  const values = propertiesOf(line) ?? {};
  const unknown = difference(Object.keys(values), deadlineNames);
  const given = (text: string) => text.trim() !== '';
  const needless = t('config.deadlines.needless', 'Only for a time of day');
  const isWithin = given(within) && !given(by);
  const isDays = Array.isArray(values.days) ? values.days.every(isWeekday) : !given(days);
  const unquoted = texts.filter((name) => values[name] != null && typeof values[name] !== 'string');
  const quote = t('config.deadlines.quote', 'Put it in quotes in the provisioning file');
  return {
    automation:
      unknown.length > 0
        ? t('config.deadlines.unknown', 'Remove {{names}} from the provisioning file', { names: unknown.join(', ') })
        : given(automation) && propertiesOf(line)
          ? undefined
          : t('config.deadlines.no-automation', 'Enter a label'),
    by: timeProblem(by.trim(), given(within)),
    days:
      isWithin && given(days)
        ? needless
        : isDays
          ? undefined
          : t('config.deadlines.days-problem', 'Enter mon, tue, wed, thu, fri, sat, or sun'),
    timezone: isWithin && given(timezone) ? needless : zoneProblem(timezone.trim()),
    count: isWithin && given(count) ? needless : readWholeNumber(count, { min: 1, max: 10_000 }).problem,
    within: withinProblem(within.trim()),
    ...Object.fromEntries(unquoted.map((name) => [name, quote])),
  };
}

const isWeekday = (day: unknown) => typeof day === 'string' && weekdays.includes(day.trim().toLowerCase());

function timeProblem(by: string, hasWithin: boolean): string | undefined {
  if (by === '') {
    return hasWithin ? undefined : t('config.deadlines.no-time', 'Enter a time or a duration');
  }
  if (hasWithin) {
    return t('config.deadlines.both', 'Enter only one of them');
  }
  const isTime = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(by) && by !== '00:00';
  return isTime ? undefined : t('config.deadlines.time', 'Enter 00:01 to 24:00');
}

function withinProblem(within: string): string | undefined {
  const [, days, hours = '0', minutes = '0'] = /^(?:(\d{1,3})d|(?:(\d{1,4})h)?(?:(\d{1,5})m)?)$/.exec(within) ?? [];
  const length = days === undefined ? Number(hours) * 60 + Number(minutes) : Number(days) * 24 * 60;
  const isDuration = length >= 1 && length <= 30 * 24 * 60;
  return within === '' || isDuration ? undefined : t('config.deadlines.duration', 'Enter 1m to 30d');
}

/**
 * The backend's list of time zones is the same, except for some old names and their case. Case only matters there: each part
 * of a name begins with a capital. Offsets are no names there.
 */
function zoneProblem(zone: string): string | undefined {
  const known = knownZone(zone || 'UTC');
  const isOtherCase = known !== zone && known?.toLowerCase() === zone.toLowerCase();
  const isName = /^utc$|^$/i.test(zone) || (/^[A-Z][^/]*(\/[A-Z][^/]*)*$/.test(zone) && !isOtherCase);
  return known && isName ? undefined : t('config.deadlines.zone', 'Enter a name such as America/Sao_Paulo');
}

function knownZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
