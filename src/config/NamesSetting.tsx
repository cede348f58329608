import React, { useEffect } from 'react';

import { t } from '@grafana/i18n';

import { described } from '../../schema/settings';
import { selectors } from '../selectors';
import { defaultSettings } from '../settings';
import { language } from '../texts';
import { ChoiceSetting } from './inputs';
import { type ConfigProps, type Options, settingProps, withSetting } from './options';

/**
 * The language of names in every response. A new data source starts with the language of the user who creates it. From
 * then on, it never changes by itself: dashboards refer to fields by their names.
 */
export function NamesSetting(props: ConfigProps) {
  const { options, onOptionsChange } = props;
  const setting = settingProps(props, 'names');
  const choices = namesOptions();
  const propose = isNew(options) ? choices.find(({ value }) => value === language()) : undefined;
  useEffect(() => {
    if (propose && propose.value !== defaultSettings.names) {
      onOptionsChange(withSetting(options, 'names', propose.value));
    }
  });
  return (
    <ChoiceSetting
      {...setting}
      label={t('config.names.label', 'Names')}
      description={t(
        'config.names.description',
        'Language of columns, measures, and automations for all users. Select it before you build dashboards, which refer to fields by these names'
      )}
      value={setting.value ?? described.names.default}
      options={choices}
      testId={selectors.config.names}
    />
  );
}

/** Each language by its own name. */
function namesOptions(): Array<{ value: string; label: string }> {
  return [
    /* eslint-disable @grafana/i18n/no-untranslated-strings -- its own name, in every language */
    { value: 'en-US', label: 'English' },
    { value: 'pt-BR', label: 'Português (Brasil)' },
    { value: 'es-ES', label: 'Español' },
    /* eslint-enable @grafana/i18n/no-untranslated-strings */
    { value: 'api', label: t('config.names.api', 'Names of the API') },
  ];
}

/** Whether a data source was just created: nothing has been entered yet. */
function isNew({ url, jsonData, secureJsonFields, readOnly }: Options): boolean {
  return !readOnly && !url && !jsonData.login && !jsonData.names && !secureJsonFields?.key;
}
