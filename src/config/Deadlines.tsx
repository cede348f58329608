import React from 'react';

import { t } from '@grafana/i18n';

import { Lines } from './Lines';
import { type ConfigProps } from './options';

/** What must be done by when: a line for each deadline. */
export function Deadlines(props: ConfigProps) {
  return (
    <Lines
      {...props}
      setting="deadlines"
      addLabel={t('config.deadlines.add', 'Add deadline')}
      columns={(number) => [
        { name: 'automation', label: t('config.deadlines.automation', 'Automation {{number}}', { number }), width: 20 },
        { name: 'by', label: t('config.deadlines.by', 'Done by'), placeholder: '07:00', width: 8 },
        { name: 'from', label: t('config.deadlines.from', 'From'), width: 8 },
        {
          name: 'days',
          label: t('config.deadlines.days', 'Days'),
          placeholder: t('config.deadlines.every-day', 'Every day'),
          width: 22,
          read: daysIn,
        },
        {
          name: 'timezone',
          label: t('config.deadlines.timezone', 'Time zone'),
          placeholder: t('config.deadlines.of-calendar', 'Calendar’s'),
          width: 19,
        },
        {
          name: 'count',
          label: t('config.deadlines.count', 'Successes'),
          placeholder: '1',
          width: 10,
          read: (text) => (/^\d+$/.test(text) ? Number(text) : text),
        },
        // eslint-disable-next-line @grafana/i18n/no-untranslated-strings -- a duration is the same in every language
        { name: 'within', label: t('config.deadlines.within', 'Or within'), placeholder: '45m', width: 8 },
      ]}
    />
  );
}

/** Whose automations are: the first line that matches a label says it. */
export function Teams(props: ConfigProps) {
  return (
    <Lines
      {...props}
      setting="teams"
      isOrdered
      addLabel={t('config.teams.add', 'Add team')}
      columns={(number) => [
        { name: 'automation', label: t('config.deadlines.automation', 'Automation {{number}}', { number }), width: 25 },
        { name: 'team', label: t('config.teams.team', 'Team'), width: 25 },
      ]}
    />
  );
}

/** The days in a text, such as "mon, 15, workday 5". */
const daysIn = (text: string): string[] => text.toLowerCase().match(/last\s+workday|workday\s+\d+|[^\s,;]+/g) ?? [];
