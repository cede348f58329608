import React from 'react';

import { t } from '@grafana/i18n';

import { selectors } from '../selectors';
import { BooleanSetting } from './BooleanSetting';
import { ClientCertificate } from './ClientCertificate';
import { type ConfigProps, withoutSecret, withSecret, withSetting } from './options';
import { begins } from './pem';
import { SecretSetting } from './SecretSetting';

/** Which certificates are trusted and shown; the names are those of all of Grafana's data sources. */
export function Tls({ options, onOptionsChange }: ConfigProps) {
  const { jsonData, secureJsonData, secureJsonFields, readOnly: disabled } = options;
  return (
    <>
      <BooleanSetting
        label={t('config.tls.skip-verify.label', 'Skip TLS certificate verification')}
        description={t('config.tls.skip-verify.description', 'Anyone on the way could read the key: for tests only')}
        value={jsonData.tlsSkipVerify}
        disabled={disabled}
        testId={selectors.config.tlsSkipVerify}
        onChange={(value) => onOptionsChange(withSetting(options, 'tlsSkipVerify', value))}
      />
      <BooleanSetting
        label={t('config.tls.with-ca-cert.label', 'Add self-signed certificate')}
        description={t('config.tls.with-ca-cert.description', 'For a service with a private certificate authority')}
        value={jsonData.tlsAuthWithCACert}
        disabled={disabled}
        testId={selectors.config.tlsAuthWithCACert}
        onChange={(value) => onOptionsChange(withSetting(options, 'tlsAuthWithCACert', value))}
      />
      {jsonData.tlsAuthWithCACert && (
        <SecretSetting
          label={t('config.tls.ca-cert', 'CA certificate')}
          value={secureJsonData?.tlsCACert}
          isConfigured={Boolean(secureJsonFields?.tlsCACert)}
          placeholder={begins('CERTIFICATE')}
          multiline
          disabled={disabled}
          testId={selectors.config.tlsCACert}
          onChange={(value) => onOptionsChange(withSecret(options, 'tlsCACert', value))}
          onReset={() => onOptionsChange(withoutSecret(options, 'tlsCACert'))}
        />
      )}
      <BooleanSetting
        label={t('config.tls.client-auth.label', 'TLS client authentication')}
        description={t('config.tls.client-auth.description', 'For a service that asks its clients for a certificate')}
        value={jsonData.tlsAuth}
        disabled={disabled}
        testId={selectors.config.tlsAuth}
        onChange={(value) => onOptionsChange(withSetting(options, 'tlsAuth', value))}
      />
      {jsonData.tlsAuth && <ClientCertificate options={options} onOptionsChange={onOptionsChange} />}
    </>
  );
}
