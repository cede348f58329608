import React from 'react';

import { t } from '@grafana/i18n';
import { Alert, Button, Stack } from '@grafana/ui';

import { type Finding } from '../../schema/findings';
import { type SettingName, settings } from '../../schema/settings';
import { findingText, useReport } from '../source/check';
import { selectors } from '../selectors';
import { type ConfigProps, type Options, readSetting, withSetting } from './options';
import { settingTexts, valueLabel } from './Setting';

type Offer = { finding: Finding; setting: SettingName; value: string | number };

function offersOf(report: Finding[], options: Options): Offer[] {
  return report.flatMap((finding) => {
    const { value } = finding;
    const setting = finding.setting as SettingName;
    const isOther = setting in settings && value !== undefined && String(value) !== readSetting(options, setting);
    return isOther ? [{ finding, setting, value }] : [];
  });
}

/** The values that the last check suggests. None is applied without a click. */
export function Suggestions({ options, onOptionsChange }: ConfigProps) {
  const offers = offersOf(useReport(options.uid), options);
  return (
    offers.length > 0 && (
      <Alert
        severity="info"
        title={t('config.suggestions.title', 'Suggested settings from Save & test')}
        data-testid={selectors.config.suggestions}
      >
        <Stack direction="column" gap={2}>
          {offers.map(({ finding, setting, value }) => (
            <Stack key={setting} direction="column" alignItems="flex-start" gap={1}>
              <span>{findingText(finding)}</span>
              {!options.readOnly && (
                <Button
                  type="button"
                  size="sm"
                  variant="secondary"
                  data-testid={selectors.config.suggestion(setting)}
                  onClick={() => onOptionsChange(withSetting(options, setting, value))}
                >
                  {t('config.suggestions.enter', 'Enter {{value}} as {{setting}}', named(setting, value))}
                </Button>
              )}
            </Stack>
          ))}
          {!options.readOnly && t('config.suggestions.save', 'Takes effect after you click Save & test again.')}
        </Stack>
      </Alert>
    )
  );
}

function named(setting: SettingName, value: string | number) {
  return {
    setting: settingTexts(setting).label,
    value: valueLabel(setting, String(value)),
    interpolation: { escapeValue: false },
  };
}
