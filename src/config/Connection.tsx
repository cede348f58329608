import React from 'react';

import { t } from '@grafana/i18n';

import { selectors } from '../selectors';
import { type ConfigProps, withoutSecret, withSecret, withSetting } from './options';
import { SecretSetting } from './SecretSetting';
import { TextSetting } from './TextSetting';
import { urlProblem } from './validate';

/** Where the service is and who asks. */
export function Connection({ options, onOptionsChange }: ConfigProps) {
  const disabled = options.readOnly;
  return (
    <>
      <TextSetting
        label={t('config.url.label', 'Base URL')}
        description={t('config.url.description', 'Address of the service, without the path of a route')}
        value={options.url}
        // eslint-disable-next-line @grafana/i18n/no-untranslated-strings -- an address is the same in every language
        placeholder="https://insights.example.com"
        problem={urlProblem(options.url)}
        required
        disabled={disabled}
        testId={selectors.config.url}
        onChange={(url) => onOptionsChange({ ...options, url: url.trim() })}
      />
      <TextSetting
        label={t('config.login.label', 'Login')}
        description={t('config.login.description', 'From the developer environment page of your workspace')}
        value={options.jsonData.login}
        required
        disabled={disabled}
        testId={selectors.config.login}
        onChange={(login) => onOptionsChange(withSetting(options, 'login', login))}
      />
      <SecretSetting
        label={t('config.key.label', 'Key')}
        description={t('config.key.description', 'From the same page; once saved, it cannot be read again')}
        value={options.secureJsonData?.key}
        isConfigured={Boolean(options.secureJsonFields?.key)}
        required
        disabled={disabled}
        testId={selectors.config.key}
        onChange={(key) => onOptionsChange(withSecret(options, 'key', key))}
        onReset={() => onOptionsChange(withoutSecret(options, 'key'))}
      />
    </>
  );
}
