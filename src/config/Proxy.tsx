import React from 'react';

import { t } from '@grafana/i18n';
import { config } from '@grafana/runtime';

import { selectors } from '../selectors';
import { BooleanSetting } from './BooleanSetting';
import { type ConfigProps, withSetting } from './options';

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
