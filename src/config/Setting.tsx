import React from 'react';

import { dashed, described, type Setting, type SettingName, settings, settingsIn } from '../../schema/settings';
import { Choice } from '../controls/Labeled';
import { translate } from '../query/texts';
import { BooleanSetting, NumberSetting, TextSetting } from './inputs';
import { type ConfigProps, readSetting, settingProps, type Switch, switchProps, textProps } from './options';

/** The label and the help of a setting in the user's language. */
export function settingTexts(name: keyof typeof described) {
  const { label, help, min, max, variable }: Setting = described[name];
  return { label: translate(label), description: help && translate(help, { min, max, variable }) };
}

/** The translated name of one of a setting's values. */
export function valueLabel(name: SettingName, value: string): string {
  const english = settings[name].valueLabels?.[value];
  return english ? translate(english) : value;
}

function Control({ name, ...props }: ConfigProps & { name: SettingName }) {
  const { default: fallback, min = 0, max = Infinity, placeholder, type, values } = settings[name];
  const common = { ...settingProps(props, name), ...settingTexts(name), testId: `insights-config-${dashed(name)}` };
  if (type === 'integer' || type === 'number') {
    return (
      <NumberSetting
        {...common}
        value={common.value as number}
        fallback={Number(fallback)}
        bounds={{ min, max }}
        isFraction={type === 'number'}
      />
    );
  }
  if (type === 'boolean') {
    return <BooleanSetting {...common} {...switchProps(props, name as Switch)} />;
  }
  if (values) {
    return (
      <Choice
        {...common}
        value={readSetting(props.options, name)}
        options={values.map((each) => ({ value: each, label: valueLabel(name, each) }))}
      />
    );
  }
  const shown = placeholder ? translate(placeholder) : (fallback as string | undefined);
  return <TextSetting {...common} {...textProps(props, name)} placeholder={shown} />;
}

/** The controls of a section, as settings.json describes it. */
export function SettingsIn({ section, ...props }: ConfigProps & { section: string }) {
  return (
    <>
      {settingsIn(section).map((name) => (
        <Control key={name} name={name} {...props} />
      ))}
    </>
  );
}
