import { isEqual } from 'lodash';
import React, { useState } from 'react';

import { t } from '@grafana/i18n';
import { Checkbox, Stack, TextArea } from '@grafana/ui';

import { Labeled } from '../controls/Labeled';
import { textOf } from '../query/query';
import { listOf, partsOf } from '../query/shown';
import { language } from '../query/texts';
import { selectors } from '../selectors';
import { TextSetting } from './inputs';
import { Findings, Heading } from './Lines';
import { type ConfigProps, propertiesOf, settingProps, withProperty } from './options';
import { settingTexts } from './Setting';

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** Those of a calendar that names none, as in the backend. */
const usualWorkdays = weekdays.slice(0, 5);

/** The name of a weekday in the user's language. The first of January 2024 was a Monday. */
function weekdayName(name: string): string {
  const day = new Date(Date.UTC(2024, 0, 1 + weekdays.indexOf(name)));
  return new Intl.DateTimeFormat(language(), { weekday: 'short', timeZone: 'UTC' }).format(day);
}

/** The time zone, workdays, and holidays of the deadlines. */
export function Calendar(props: ConfigProps) {
  const { value, disabled, onChange } = settingProps(props, 'calendar');
  const { timezone, workdays, holidays } = propertiesOf(value) ?? {};
  const change = (name: string, changed: unknown) => {
    const calendar = withProperty(value, name, changed);
    onChange(Object.keys(calendar).length > 0 ? calendar : undefined);
  };
  const named = listOf(workdays).map((day) => textOf(day).trim().toLowerCase());
  const own = named.length > 0 ? named : usualWorkdays;
  return (
    <>
      <Heading {...settingTexts('calendar')} />
      <TextSetting
        label={t('config.deadlines.timezone', 'Time zone')}
        // eslint-disable-next-line @grafana/i18n/no-untranslated-strings -- a time zone is the same in every language
        placeholder="UTC"
        width={25}
        disabled={disabled}
        testId={selectors.config.calendarZone}
        value={textOf(timezone)}
        onChange={(text) => change('timezone', text)}
      />
      <Labeled label={t('config.calendar.workdays', 'Workdays')} isGroup>
        {({ labelId }) => (
          <Stack gap={2} wrap="wrap" role="group" aria-labelledby={labelId}>
            {weekdays.map((name) => (
              <Checkbox
                key={name}
                label={weekdayName(name)}
                disabled={disabled}
                data-testid={selectors.config.workday(name)}
                value={own.includes(name)}
                onChange={({ currentTarget: { checked } }) => {
                  const chosen = weekdays.filter((each) => (each === name ? checked : own.includes(each)));
                  // A calendar without workdays has the usual ones, so the last one stays.
                  if (chosen.length > 0) {
                    change('workdays', isEqual(chosen, usualWorkdays) ? undefined : chosen);
                  }
                }}
              />
            ))}
          </Stack>
        )}
      </Labeled>
      <Holidays
        value={listOf(holidays).map(textOf)}
        disabled={disabled}
        onChange={(lines) => change('holidays', lines)}
      />
      <Findings uid={props.options.uid} setting="calendar" />
    </>
  );
}

const linesIn = (text: string) => partsOf(text, /\n/);

type HolidaysProps = { value: string[]; disabled?: boolean; onChange: (lines: string[]) => void };

/** A list, as an authority publishes it. Shows what is typed for as long as it is saved as something equal. */
function Holidays({ value, disabled, onChange }: HolidaysProps) {
  const [typed, setTyped] = useState('');
  return (
    <Labeled
      label={t('config.calendar.holidays', 'Holidays, one a line')}
      description={t(
        'config.calendar.holidays-help',
        'A date, such as 2026-04-03, or 12-25 for every year, then any name'
      )}
    >
      {({ id }) => (
        <TextArea
          id={id}
          cols={60}
          rows={6}
          disabled={disabled}
          data-testid={selectors.config.holidays}
          value={isEqual(linesIn(typed), value) ? typed : value.join('\n')}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            onChange(linesIn(currentTarget.value));
          }}
        />
      )}
    </Labeled>
  );
}
