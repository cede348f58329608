import React from 'react';

import { t } from '@grafana/i18n';

import { described } from '../../settings/settings';
import { selectors } from '../selectors';
import { defaultSettings, type RateScale } from '../settings';
import { BooleanSetting, ChoiceSetting, NumberSetting, TextSetting } from './inputs';
import { type ConfigProps, currencyProblem, pathProblem, withSetting } from './options';

/** Settings that differ between installations of the service. */
export function ServiceSettings({ options, onOptionsChange }: ConfigProps) {
  const { jsonData, readOnly: disabled } = options;
  return (
    <>
      <TextSetting
        label={t('config.organization.label', 'Organization')}
        description={t('config.organization.description', 'Sent instead of the organization that the login returns')}
        value={jsonData.organization}
        placeholder={t('config.organization.placeholder', 'Organization that the login returns')}
        disabled={disabled}
        testId={selectors.config.organization}
        onChange={(organization) => onOptionsChange(withSetting(options, 'organization', organization))}
      />
      <TextSetting
        label={t('config.runners-path.label', 'Runners path')}
        description={t(
          'config.runners-path.description',
          'Path of the runners route, which the service does not publish'
        )}
        value={jsonData.runnersPath}
        placeholder={defaultSettings.runnersPath}
        problem={pathProblem(jsonData.runnersPath ?? '')}
        disabled={disabled}
        testId={selectors.config.runnersPath}
        onChange={(runnersPath) => onOptionsChange(withSetting(options, 'runnersPath', runnersPath))}
      />
      <ChoiceSetting<RateScale>
        label={t('config.rate-scale.label', 'Rate scale')}
        description={t(
          'config.rate-scale.description',
          "Unit in which the service's rates are shown; the numbers themselves never change"
        )}
        value={jsonData.rateScale ?? defaultSettings.rateScale}
        options={[
          { value: 'auto', label: t('config.rate-scale.auto', 'Auto') },
          { value: 'fraction', label: t('config.rate-scale.fraction', '0 to 1') },
          { value: 'percent', label: t('config.rate-scale.percent', '0 to 100') },
        ]}
        disabled={disabled}
        testId={selectors.config.rateScale}
        onChange={(scale) =>
          onOptionsChange(withSetting(options, 'rateScale', scale === defaultSettings.rateScale ? undefined : scale))
        }
      />
      <TextSetting
        label={t('config.currency.label', 'Currency')}
        description={t(
          'config.currency.description',
          "ISO 4217 code of the workspace's currency, used to show savings"
        )}
        value={jsonData.currency}
        placeholder={t('config.currency.placeholder', 'For example, BRL; empty for no unit')}
        problem={currencyProblem(jsonData.currency ?? '')}
        disabled={disabled}
        testId={selectors.config.currency}
        onChange={(currency) => onOptionsChange(withSetting(options, 'currency', currency))}
      />
    </>
  );
}

/** How many requests the data source sends to the service, and how long it waits. */
export function Limits({ options, onOptionsChange }: ConfigProps) {
  const settings = [
    {
      name: 'timeout',
      label: t('config.timeout.label', 'Timeout'),
      description: t('config.timeout.description', 'Time limit for one request, in seconds'),
    },
    {
      name: 'maxConcurrentRequests',
      label: t('config.max-concurrent-requests.label', 'Max concurrent requests'),
      description: t(
        'config.max-concurrent-requests.description',
        'Maximum simultaneous requests for all queries of this data source; {{min}} to {{max}}',
        { min: described.maxConcurrentRequests.min, max: described.maxConcurrentRequests.max }
      ),
    },
    {
      name: 'pageSize',
      label: t('config.page-size.label', 'Page size'),
      description: t(
        'config.page-size.description',
        "Rows to request per page; the service may return fewer. 0: the service's own size"
      ),
    },
    {
      name: 'maxRows',
      label: t('config.max-rows.label', 'Max rows'),
      description: t(
        'config.max-rows.description',
        'Maximum rows to read for one query; a query that exceeds it shows a warning'
      ),
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
          bounds={described[name]}
          disabled={options.readOnly}
          testId={selectors.config[name]}
          onChange={(value) => onOptionsChange(withSetting(options, name, value))}
        />
      ))}
    </>
  );
}

/** What a panel requests again when it refreshes. */
export function RepeatedReads({ options, onOptionsChange }: ConfigProps) {
  const { jsonData, readOnly: disabled } = options;
  // It is text if a provisioning file takes it from an environment variable.
  const incremental = String(jsonData.incrementalQuerying ?? defaultSettings.incrementalQuerying) !== 'false';
  return (
    <>
      <NumberSetting
        label={t('config.cache-ttl.label', 'Cache TTL')}
        description={t('config.cache-ttl.description', 'Seconds for which a read is reused; 0 turns the cache off')}
        value={jsonData.cacheTTL}
        fallback={defaultSettings.cacheTTL}
        bounds={described.cacheTTL}
        disabled={disabled}
        testId={selectors.config.cacheTTL}
        onChange={(value) => onOptionsChange(withSetting(options, 'cacheTTL', value))}
      />
      <BooleanSetting
        label={t('config.incremental-querying.label', 'Incremental querying')}
        description={t(
          'config.incremental-querying.description',
          'A refresh requests only what may have changed and keeps the rest; alert rules always read everything'
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
            'Seconds after which a refresh reads everything again; 0: every time'
          )}
          value={jsonData.fullReadInterval}
          fallback={defaultSettings.fullReadInterval}
          bounds={described.fullReadInterval}
          disabled={disabled}
          testId={selectors.config.fullReadInterval}
          onChange={(value) => onOptionsChange(withSetting(options, 'fullReadInterval', value))}
        />
      )}
    </>
  );
}
