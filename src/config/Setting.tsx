import React from 'react';

import { t } from '@grafana/i18n';

import { dataSets } from '../../datasets/datasets';
import { dashed, type Setting as Description, type SettingName, settings, settingsIn } from '../../settings/settings';
import { type InsightsJsonData } from '../settings';
import { BooleanSetting, ChoiceSetting, NumberSetting, TextSetting } from './inputs';
import { type ConfigProps, currencyProblem, pathProblem, withSetting } from './options';

/** The translated label of a setting. The keys of its texts are derived from its name. */
export function settingLabel(name: SettingName): string {
  return t(`config.${dashed(name)}.label`, settings[name].label);
}

/** The translated name of one of a setting's values. */
export function valueLabel(name: SettingName, value: string): string {
  const english = settings[name].valueLabels?.[value];
  return english ? t(`config.${dashed(name)}.${value}`, english) : value;
}

/** What is wrong with the text of a setting, for paths of routes and the currency. */
function problemOf(name: SettingName, text: string): string | undefined {
  if (dataSets.some(({ pathSetting }) => pathSetting === name)) {
    return pathProblem(text);
  }
  return name === 'currency' ? currencyProblem(text) : undefined;
}

/** The control of a setting, as settings.json describes it. */
function Control({ name, options, onOptionsChange }: ConfigProps & { name: SettingName }) {
  const setting: Description = settings[name];
  const { min = 0, max } = setting;
  const change = (value: unknown) =>
    onOptionsChange(withSetting(options, name, value as InsightsJsonData[typeof name]));
  const value: unknown = options.jsonData[name];
  const common = {
    label: settingLabel(name),
    description: setting.help && t(`config.${dashed(name)}.description`, setting.help, { min, max }),
    disabled: options.readOnly,
    testId: `insights-config-${dashed(name)}`,
  };
  if (setting.type === 'integer') {
    const fallback = Number(setting.default);
    return (
      <NumberSetting
        {...common}
        value={value as number | undefined}
        fallback={fallback}
        bounds={{ min, max }}
        onChange={change}
      />
    );
  }
  if (setting.type === 'boolean') {
    return <BooleanSetting {...common} value={isOn(options, name)} onChange={change} />;
  }
  if (setting.values) {
    return (
      <ChoiceSetting
        {...common}
        value={String(value ?? setting.default)}
        options={setting.values.map((each) => ({ value: each, label: valueLabel(name, each) }))}
        onChange={(chosen) => change(chosen === setting.default ? undefined : chosen)}
      />
    );
  }
  const { placeholder } = setting;
  const text = value as string | undefined;
  return (
    <TextSetting
      {...common}
      value={text}
      placeholder={
        placeholder ? t(`config.${dashed(name)}.placeholder`, placeholder) : (setting.default as string | undefined)
      }
      problem={problemOf(name, text ?? '')}
      onChange={change}
    />
  );
}

/** Whether a switch is on. It is text if a provisioning file takes it from an environment variable. */
function isOn({ jsonData }: ConfigProps['options'], name: SettingName): boolean {
  return String(jsonData[name] ?? settings[name].default) === 'true';
}

/** The controls of a section, as settings.json describes it. */
export function SettingsIn({ section, ...props }: ConfigProps & { section: string }) {
  const shown = settingsIn(section).filter((name) => {
    const { onlyIf } = settings[name];
    return !onlyIf || isOn(props.options, onlyIf as SettingName);
  });
  return (
    <>
      {shown.map((name) => (
        <Control key={name} name={name} {...props} />
      ))}
    </>
  );
}
