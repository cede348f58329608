import React from 'react';

import { t } from '@grafana/i18n';

import { dashed, type Setting as Description, type SettingName, settings, settingsIn } from '../../schema/settings';
import { BooleanSetting, ChoiceSetting, NumberSetting, TextSetting } from './inputs';
import { type ConfigProps, isOn, settingProps } from './options';

/** The translated label of a setting. The keys of its texts are derived from its name. */
export function settingLabel(name: SettingName): string {
  return t(`config.${dashed(name)}.label`, settings[name].label);
}

/** The translated name of one of a setting's values. */
export function valueLabel(name: SettingName, value: string): string {
  const english = settings[name].valueLabels?.[value];
  return english ? t(`config.${dashed(name)}.${value}`, english) : value;
}

/** The control of a setting, as settings.json describes it. */
function Control({ name, ...props }: ConfigProps & { name: SettingName }) {
  const { default: fallback, help, min = 0, max, placeholder, type, values, variable }: Description = settings[name];
  const common = {
    ...settingProps(props, name),
    label: settingLabel(name),
    description: help && t(`config.${dashed(name)}.description`, help, { min, max, variable }),
    testId: `insights-config-${dashed(name)}`,
  };
  const { value } = common;
  if (type === 'integer') {
    return <NumberSetting {...common} value={value as number} fallback={Number(fallback)} bounds={{ min, max }} />;
  }
  if (type === 'boolean') {
    return <BooleanSetting {...common} value={isOn(props.options, name)} />;
  }
  if (values) {
    return (
      <ChoiceSetting
        {...common}
        value={String(value ?? fallback)}
        options={values.map((each) => ({ value: each, label: valueLabel(name, each) }))}
      />
    );
  }
  const shown = placeholder ? t(`config.${dashed(name)}.placeholder`, placeholder) : (fallback as string | undefined);
  return <TextSetting {...common} value={value as string | undefined} placeholder={shown} />;
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
