import React, { useId } from 'react';

import { t } from '@grafana/i18n';
import { Field, RadioButtonGroup } from '@grafana/ui';

import { selectors } from '../selectors';
import { defaultSettings, type RateScale } from '../settings';
import { type ConfigProps, withSetting } from './options';
import { TextSetting } from './TextSetting';
import { currencyProblem, pathProblem } from './validate';

/** What differs between installations of the service. */
export function ServiceSettings({ options, onOptionsChange }: ConfigProps) {
  const { jsonData, readOnly: disabled } = options;
  return (
    <>
      <TextSetting
        label={t('config.organization.label', 'Organization')}
        description={t('config.organization.description', 'Sent instead of the organization that the login returns')}
        value={jsonData.organization}
        placeholder={t('config.organization.placeholder', 'The one that the login returns')}
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
      <RateScaleSetting
        value={jsonData.rateScale}
        disabled={disabled}
        onChange={(rateScale) => onOptionsChange(withSetting(options, 'rateScale', rateScale))}
      />
      <TextSetting
        label={t('config.currency.label', 'Currency')}
        description={t(
          'config.currency.description',
          'ISO 4217 code of the workspace’s money, which savings are shown in'
        )}
        value={jsonData.currency}
        placeholder={t('config.currency.placeholder', 'For example BRL; empty for no unit')}
        problem={currencyProblem(jsonData.currency ?? '')}
        disabled={disabled}
        testId={selectors.config.currency}
        onChange={(currency) => onOptionsChange(withSetting(options, 'currency', currency))}
      />
    </>
  );
}

interface RateScaleProps {
  value: RateScale | undefined;
  disabled?: boolean;
  onChange: (value: RateScale | undefined) => void;
}

function RateScaleSetting({ value = defaultSettings.rateScale, disabled, onChange }: RateScaleProps) {
  const id = useId();
  const label = t('config.rate-scale.label', 'Rate scale');
  return (
    <Field
      label={label}
      description={t(
        'config.rate-scale.description',
        'Unit that the rates of the service are shown in; the numbers themselves are never changed'
      )}
    >
      <div data-testid={selectors.config.rateScale}>
        <RadioButtonGroup
          id={id}
          aria-label={label}
          value={value}
          disabled={disabled}
          options={[
            { value: 'auto', label: t('config.rate-scale.auto', 'Auto') },
            { value: 'fraction', label: t('config.rate-scale.fraction', '0 to 1') },
            { value: 'percent', label: t('config.rate-scale.percent', '0 to 100') },
          ]}
          onChange={(scale: RateScale) => onChange(scale === defaultSettings.rateScale ? undefined : scale)}
        />
      </div>
    </Field>
  );
}
