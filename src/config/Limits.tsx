import React from 'react';

import { t } from '@grafana/i18n';

import { selectors } from '../selectors';
import { defaultSettings } from '../settings';
import { NumberSetting } from './NumberSetting';
import { type ConfigProps, withSetting } from './options';

/** How much the data source asks of the service at once, and for how long it waits. */
export function Limits({ options, onOptionsChange }: ConfigProps) {
  const settings = [
    {
      name: 'timeout',
      label: t('config.timeout.label', 'Timeout'),
      description: t('config.timeout.description', 'Seconds for one request'),
      bounds: { min: 1, max: 3_600 },
    },
    {
      name: 'maxConcurrentRequests',
      label: t('config.max-concurrent-requests.label', 'Max concurrent requests'),
      description: t(
        'config.max-concurrent-requests.description',
        'Requests in flight at once, over all queries of this data source; 1 to 32'
      ),
      bounds: { min: 1, max: 32 },
    },
    {
      name: 'pageSize',
      label: t('config.page-size.label', 'Page size'),
      description: t(
        'config.page-size.description',
        'Rows asked for in one page; the service may give fewer. 0: its own size'
      ),
      bounds: { min: 0, max: 2_000 },
    },
    {
      name: 'maxRows',
      label: t('config.max-rows.label', 'Max rows'),
      description: t('config.max-rows.description', 'Rows read for one query; a query with more says so'),
      bounds: { min: 1, max: 10_000_000 },
    },
  ] as const;
  return (
    <>
      {settings.map(({ name, ...setting }) => (
        <NumberSetting
          key={name}
          {...setting}
          value={options.jsonData[name]}
          fallback={defaultSettings[name]}
          disabled={options.readOnly}
          testId={selectors.config[name]}
          onChange={(value) => onOptionsChange(withSetting(options, name, value))}
        />
      ))}
    </>
  );
}
