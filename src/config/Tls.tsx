import React from 'react';

import { t } from '@grafana/i18n';
import { config } from '@grafana/runtime';

import { selectors } from '../selectors';
import { BooleanSetting, SecretSetting, TextSetting } from './inputs';
import { type ConfigProps, withoutSecret, withSecret, withSetting } from './options';

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

/** The certificate that Grafana shows to the service. */
function ClientCertificate({ options, onOptionsChange }: ConfigProps) {
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

/** Grafana's secure socks proxy, where this Grafana has one. */
export function Proxy({ options, onOptionsChange }: ConfigProps) {
  if (!config.secureSocksDSProxyEnabled) {
    return null;
  }
  return (
    <BooleanSetting
      label={t('config.proxy.label', 'Secure socks proxy')}
      description={t('config.proxy.description', 'Reach the service through the secure socks proxy of this Grafana')}
      value={options.jsonData.enableSecureSocksProxy}
      disabled={options.readOnly}
      testId={selectors.config.secureSocksProxy}
      onChange={(value) => onOptionsChange(withSetting(options, 'enableSecureSocksProxy', value))}
    />
  );
}

/** How a PEM block of that kind begins. */
function begins(kind: string): string {
  return t('config.tls.begins', 'Begins with -----BEGIN {{kind}}-----', { kind });
}
