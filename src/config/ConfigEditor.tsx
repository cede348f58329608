import React, { useState } from 'react';

import { t } from '@grafana/i18n';
import { ConfigSubSection } from '@grafana/plugin-ui';
import { CollapsableSection } from '@grafana/ui';

import { selectors } from '../selectors';
import { CustomHeaders } from './CustomHeaders';
import { SecretSetting, TextSetting } from './inputs';
import { type ConfigProps, urlProblem, withoutSecret, withSecret, withSetting } from './options';
import { Limits, RepeatedReads, ServiceSettings } from './ServiceSettings';
import { Proxy, Tls } from './Tls';

/** Settings of a data source. Grafana itself says so when they are provisioned and cannot be changed. */
export function ConfigEditor(props: ConfigProps) {
  return (
    <>
      <Connection {...props} />
      <Advanced {...props} />
    </>
  );
}

/** Where the service is and who asks. */
function Connection({ options, onOptionsChange }: ConfigProps) {
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

/** What most people never change. */
function Advanced(props: ConfigProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <CollapsableSection
      label={t('config.advanced.label', 'Advanced')}
      isOpen={isOpen}
      onToggle={setIsOpen}
      headerDataTestId={selectors.config.advanced}
    >
      <ServiceSettings {...props} />
      <ConfigSubSection title={t('config.advanced.limits', 'Limits')}>
        <Limits {...props} />
      </ConfigSubSection>
      <ConfigSubSection title={t('config.advanced.repeated-reads', 'Repeated reads')}>
        <RepeatedReads {...props} />
      </ConfigSubSection>
      <ConfigSubSection title={t('config.advanced.tls', 'TLS and proxy')}>
        <Tls {...props} />
        <Proxy {...props} />
      </ConfigSubSection>
      <ConfigSubSection
        title={t('config.headers.title', 'Custom HTTP headers')}
        description={t('config.headers.description', 'Sent with every request, for example for a proxy on the way')}
      >
        <CustomHeaders {...props} />
      </ConfigSubSection>
    </CollapsableSection>
  );
}
