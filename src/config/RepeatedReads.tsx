import React from 'react';

import { t } from '@grafana/i18n';

import { selectors } from '../selectors';
import { defaultSettings } from '../settings';
import { BooleanSetting } from './BooleanSetting';
import { NumberSetting } from './NumberSetting';
import { type ConfigProps, withSetting } from './options';

const DAY = 86_400;

/** What a panel that is refreshed asks of the service again. */
export function RepeatedReads({ options, onOptionsChange }: ConfigProps) {
  const { jsonData, readOnly: disabled } = options;
  // A provisioning file that takes it from the environment has it as text.
  const incremental = String(jsonData.incrementalQuerying ?? defaultSettings.incrementalQuerying) !== 'false';
  return (
    <>
      <NumberSetting
        label={t('config.cache-ttl.label', 'Cache TTL')}
        description={t('config.cache-ttl.description', 'Seconds that a read is reused; 0 switches it off')}
        value={jsonData.cacheTTL}
        fallback={defaultSettings.cacheTTL}
        bounds={{ min: 0, max: DAY }}
        disabled={disabled}
        testId={selectors.config.cacheTTL}
        onChange={(value) => onOptionsChange(withSetting(options, 'cacheTTL', value))}
      />
      <BooleanSetting
        label={t('config.incremental-querying.label', 'Incremental querying')}
        description={t(
          'config.incremental-querying.description',
          'A refresh asks only for what may have changed, and keeps the rest; alert rules always read everything'
        )}
        value={incremental}
        disabled={disabled}
        testId={selectors.config.incrementalQuerying}
        onChange={(value) => onOptionsChange(withSetting(options, 'incrementalQuerying', value))}
      />
      {incremental && (
        <NumberSetting
          label={t('config.full-read-interval.label', 'Full read every')}
          description={t(
            'config.full-read-interval.description',
            'Seconds after which a refresh reads everything again; 0: always'
          )}
          value={jsonData.fullReadInterval}
          fallback={defaultSettings.fullReadInterval}
          bounds={{ min: 0, max: DAY }}
          disabled={disabled}
          testId={selectors.config.fullReadInterval}
          onChange={(value) => onOptionsChange(withSetting(options, 'fullReadInterval', value))}
        />
      )}
    </>
  );
}
