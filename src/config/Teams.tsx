import React from 'react';

import { t } from '@grafana/i18n';

import { Lines } from './Lines';
import { type ConfigProps } from './options';

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
