import React from 'react';

import { t } from '@grafana/i18n';
import { config } from '@grafana/runtime';

import { selectors } from '../selectors';
import { BooleanSetting, SecretSetting, TextSetting } from './inputs';
import { type ConfigProps, withoutSecret, withSecret, withSetting } from './options';

/** Trusted certificates and client certificates, with the names that all of Grafana's data sources use. */
export function Tls({ options, onOptionsChange }: ConfigProps) {
  const { jsonData, secureJsonData, secureJsonFields, readOnly: disabled } = options;
  return (
    <>
      <BooleanSetting
        label={t('config.tls.skip-verify.label', 'Skip TLS certificate verification')}
        description={t(
          'config.tls.skip-verify.description',
          'Anyone on the network path could read the key: use only for tests'
        )}
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
        description={t('config.tls.client-auth.description', 'For a service that requires a client certificate')}
        value={jsonData.tlsAuth}
        disabled={disabled}
        testId={selectors.config.tlsAuth}
        onChange={(value) => onOptionsChange(withSetting(options, 'tlsAuth', value))}
      />
      {jsonData.tlsAuth && <ClientCertificate options={options} onOptionsChange={onOptionsChange} />}
    </>
  );
}

/** The certificate that Grafana presents to the service. */
function ClientCertificate({ options, onOptionsChange }: ConfigProps) {
  const { jsonData, secureJsonData, secureJsonFields, readOnly: disabled } = options;
  return (
    <>
      <TextSetting
        label={t('config.tls.server-name.label', 'Server name')}
        description={t('config.tls.server-name.description', "Server name for verifying the service's certificate")}
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

/** Grafana's secure socks proxy, if this Grafana has one. */
export function Proxy({ options, onOptionsChange }: ConfigProps) {
  if (!config.secureSocksDSProxyEnabled) {
    return null;
  }
  return (
    <BooleanSetting
      label={t('config.proxy.label', 'Secure socks proxy')}
      description={t('config.proxy.description', "Connect to the service through this Grafana's secure socks proxy")}
      value={options.jsonData.enableSecureSocksProxy}
      disabled={options.readOnly}
      testId={selectors.config.secureSocksProxy}
      onChange={(value) => onOptionsChange(withSetting(options, 'enableSecureSocksProxy', value))}
    />
  );
}

/** The first line of a PEM block of this kind. */
function begins(kind: string): string {
  return t('config.tls.begins', 'Begins with -----BEGIN {{kind}}-----', { kind });
}
