import React from 'react';

import { t } from '@grafana/i18n';

import { selectors } from '../selectors';
import { type ConfigProps, withoutSecret, withSecret, withSetting } from './options';
import { begins } from './pem';
import { SecretSetting } from './SecretSetting';
import { TextSetting } from './TextSetting';

/** The certificate that Grafana shows to the service. */
export function ClientCertificate({ options, onOptionsChange }: ConfigProps) {
  const { jsonData, secureJsonData, secureJsonFields, readOnly: disabled } = options;
  return (
    <>
      <TextSetting
        label={t('config.tls.server-name.label', 'Server name')}
        description={t('config.tls.server-name.description', 'Name that the certificate of the service is checked for')}
        value={jsonData.serverName}
        disabled={disabled}
        testId={selectors.config.serverName}
        onChange={(serverName) => onOptionsChange(withSetting(options, 'serverName', serverName))}
      />
      <SecretSetting
        label={t('config.tls.client-cert', 'Client certificate')}
        value={secureJsonData?.tlsClientCert}
        isConfigured={Boolean(secureJsonFields?.tlsClientCert)}
        placeholder={begins('CERTIFICATE')}
        multiline
        disabled={disabled}
        testId={selectors.config.tlsClientCert}
        onChange={(value) => onOptionsChange(withSecret(options, 'tlsClientCert', value))}
        onReset={() => onOptionsChange(withoutSecret(options, 'tlsClientCert'))}
      />
      <SecretSetting
        label={t('config.tls.client-key', 'Client key')}
        value={secureJsonData?.tlsClientKey}
        isConfigured={Boolean(secureJsonFields?.tlsClientKey)}
        placeholder={begins('RSA PRIVATE KEY')}
        multiline
        disabled={disabled}
        testId={selectors.config.tlsClientKey}
        onChange={(value) => onOptionsChange(withSecret(options, 'tlsClientKey', value))}
        onReset={() => onOptionsChange(withoutSecret(options, 'tlsClientKey'))}
      />
    </>
  );
}
