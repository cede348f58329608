import React, { type PropsWithChildren, useEffect, useState } from 'react';

import { t } from '@grafana/i18n';
import { CollapsableSection, FieldSet, Stack, Text, TextLink } from '@grafana/ui';

import { settings } from '../../schema/settings';
import pluginJson from '../plugin.json';
import { findingText, useReport } from '../source/check';
import { KeepFocus } from '../controls/KeepFocus';
import { narrow } from '../controls/Labeled';
import { selectors } from '../selectors';
import { defaultSettings } from '../settings';
import { language } from '../query/texts';
import { Calendar } from './Calendar';
import { CustomHeaders } from './CustomHeaders';
import { Dashboards } from './Dashboards';
import { Deadlines, Teams } from './Deadlines';
import { SecretSetting, TextSetting } from './inputs';
import { type ConfigProps, secretProps, textProps, urlProblem, withSetting } from './options';
import { SettingsIn, settingTexts } from './Setting';
import { Suggestions } from './Suggestions';
import { Proxy, Tls } from './Tls';

/** The settings of a data source. If they are provisioned and read-only, Grafana itself says so. */
export function ConfigEditor(props: ConfigProps) {
  useProposedNames(props);
  return (
    <div className={narrow}>
      <KeepFocus>
        <Fields>
          <div>
            <TextLink href={pluginJson.info.links[0].url} external>
              {t('config.documentation', 'Documentation')}
            </TextLink>
          </div>
          <Connection {...props} />
          <SettingsIn section="names" {...props} />
          <Suggestions {...props} />
          <Section label={t('config.due', 'Working days, deadlines, teams')}>
            <Calendar {...props} />
            <Deadlines {...props} />
            <Teams {...props} />
          </Section>
          <Section label={t('config.dashboards.label', 'Dashboards')}>
            <Dashboards {...props} />
          </Section>
          <Advanced {...props} />
        </Fields>
      </KeepFocus>
    </div>
  );
}

function Fields({ children }: PropsWithChildren) {
  return (
    <Stack direction="column" gap={2}>
      {children}
    </Stack>
  );
}

function Section({ label, children }: PropsWithChildren<{ label: string }>) {
  return (
    <FieldSet label={label}>
      <Fields>{children}</Fields>
    </FieldSet>
  );
}

/** What the last check said about a required setting, for as long as it is empty. */
function useMissing(uid: string) {
  const report = useReport(uid);
  return (setting: string, isEmpty: boolean) => {
    const missing = report.find((finding) => finding.severity === 'error' && finding.setting === setting);
    return isEmpty && missing ? findingText(missing) : undefined;
  };
}

function Connection(props: ConfigProps) {
  const { options, onOptionsChange } = props;
  const missing = useMissing(options.uid);
  const login = textProps(props, 'login');
  const key = secretProps(props, 'key');
  return (
    <>
      <TextSetting
        {...settingTexts('url')}
        value={options.url}
        // eslint-disable-next-line @grafana/i18n/no-untranslated-strings -- an address is the same in every language
        placeholder="https://insights.example.com"
        problem={urlProblem(options.url.trim()) ?? missing('url', options.url.trim() === '')}
        required
        disabled={options.readOnly}
        testId={selectors.config.url}
        onChange={(url) => onOptionsChange({ ...options, url: url.trim() })}
      />
      <TextSetting
        {...login}
        {...settingTexts('login')}
        problem={login.problem ?? missing('login', !login.value?.trim())}
        required
        testId={selectors.config.login}
      />
      <SecretSetting
        {...key}
        {...settingTexts('key')}
        problem={missing('key', !key.isConfigured && !key.value?.trim())}
        required
        testId={selectors.config.key}
      />
    </>
  );
}

// Names in the language of the user who creates the data source. From then on, the setting never changes by itself: dashboards
// refer to fields by their names. A data source was saved before if it has a setting or a later version.
function useProposedNames({ options, onOptionsChange }: ConfigProps) {
  useEffect(() => {
    const { url, jsonData, secureJsonFields, readOnly, version = 1 } = options;
    const isNew = !readOnly && version <= 1 && !url && !jsonData.login && !jsonData.names && !secureJsonFields?.key;
    const proposed = settings.names.values?.find((value) => value === language());
    if (isNew && proposed && proposed !== defaultSettings.names) {
      onOptionsChange(withSetting(options, 'names', proposed));
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what is cleared in this page was saved before
  }, []);
}

function Advanced(props: ConfigProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <CollapsableSection
      label={t('config.advanced.label', 'Advanced')}
      isOpen={isOpen}
      onToggle={setIsOpen}
      headerDataTestId={selectors.config.advanced}
    >
      <Fields>
        <SettingsIn section="service" {...props} />
        <Section label={t('config.advanced.links', 'Links')}>
          <SettingsIn section="links" {...props} />
        </Section>
        <Section label={t('config.advanced.limits', 'Limits')}>
          <SettingsIn section="limits" {...props} />
        </Section>
        <Section label={t('config.advanced.repeated-reads', 'Repeated reads')}>
          <SettingsIn section="reads" {...props} />
        </Section>
        <Section label={t('config.advanced.tls', 'TLS and proxy')}>
          <Tls {...props} />
          <Proxy {...props} />
        </Section>
        <Section label={t('config.headers.title', 'Custom HTTP headers')}>
          <Text color="secondary">
            {t('config.headers.description', 'Sent with every request, for example for a proxy')}
          </Text>
          <CustomHeaders {...props} />
        </Section>
      </Fields>
    </CollapsableSection>
  );
}
