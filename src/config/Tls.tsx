import React from 'react';

import { t } from '@grafana/i18n';
import { config } from '@grafana/runtime';

import { selectors } from '../selectors';
import { BooleanSetting, SecretSetting, TextSetting } from './inputs';
import { type ConfigProps, isOn, type Secret, secretProps, switchProps, textProps } from './options';

/** Trusted certificates and client certificates, with the names that all of Grafana's data sources use. */
export function Tls(props: ConfigProps) {
  return (
    <>
      <BooleanSetting
        {...switchProps(props, 'tlsSkipVerify')}
        label={t('config.tls.skip-verify.label', 'Skip TLS certificate verification')}
        description={t(
          'config.tls.skip-verify.description',
          'Anyone on the network path could read the key: use only for tests'
        )}
        testId={selectors.config.tlsSkipVerify}
      />
      <BooleanSetting
        {...switchProps(props, 'tlsAuthWithCACert')}
        label={t('config.tls.with-ca-cert.label', 'Add self-signed certificate')}
        description={t('config.tls.with-ca-cert.description', 'For a service with a private certificate authority')}
        testId={selectors.config.tlsAuthWithCACert}
      />
      {isOn(props.options, 'tlsAuthWithCACert') && (
        <Pem {...props} name="tlsCACert" label={t('config.tls.ca-cert', 'CA certificate')} />
      )}
      <BooleanSetting
        {...switchProps(props, 'tlsAuth')}
        label={t('config.tls.client-auth.label', 'TLS client authentication')}
        description={t('config.tls.client-auth.description', 'For a service that requires a client certificate')}
        testId={selectors.config.tlsAuth}
      />
      {isOn(props.options, 'tlsAuth') && (
        <>
          <Pem {...props} name="tlsClientCert" label={t('config.tls.client-cert', 'Client certificate')} />
          <Pem {...props} name="tlsClientKey" label={t('config.tls.client-key', 'Client key')} kind="RSA PRIVATE KEY" />
        </>
      )}
      {(['tlsAuthWithCACert', 'tlsAuth'] as const).some((name) => isOn(props.options, name)) && (
        <TextSetting
          {...textProps(props, 'serverName')}
          label={t('config.tls.server-name.label', 'Server name')}
          description={t('config.tls.server-name.description', "Server name for verifying the service's certificate")}
          testId={selectors.config.serverName}
        />
      )}
    </>
  );
}

interface PemProps extends ConfigProps {
  name: Secret & keyof typeof selectors.config;
  label: string;
  /** What the first line says that the block contains. */
  kind?: string;
}

function Pem({ name, label, kind = 'CERTIFICATE', ...props }: PemProps) {
  return (
    <SecretSetting
      {...secretProps(props, name)}
      label={label}
      placeholder={t('config.tls.begins', 'Begins with -----BEGIN {{kind}}-----', { kind })}
      multiline
      testId={selectors.config[name]}
    />
  );
}

/** Grafana's secure socks proxy, if this Grafana has one, or if the setting has to be corrected. */
export function Proxy(props: ConfigProps) {
  const proxy = switchProps(props, 'enableSecureSocksProxy');
  return (
    (config.secureSocksDSProxyEnabled || proxy.problem) && (
      <BooleanSetting
        {...proxy}
        label={t('config.proxy.label', 'Secure socks proxy')}
        description={t('config.proxy.description', "Connect to the service through this Grafana's secure socks proxy")}
        testId={selectors.config.secureSocksProxy}
      />
    )
  );
}
