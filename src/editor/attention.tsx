import { isEqual, omit } from 'lodash';
import React, { useCallback } from 'react';

import { t } from '@grafana/i18n';

import { type Reason, reasons, sensitivities, usualSensitivity } from '../../schema/attention';
import { compact, ignoredThresholds, reasonsOn, variablesOf, withReasons } from '../query/attention';
import { type Load, MultiSelect, Select } from '../controls/lists';
import { type Attention, attentionGroups } from '../query/query';
import { selectors } from '../selectors';
import { suggestOptions } from '../source/suggestions';
import { labelOf, nameAndDescription } from '../query/texts';
import { Notice } from './alerts';
import { type ControlProps, describedOptions, variableOptions } from './control';

const labels = () => ({
  sensitivity: t('editor.attention.sensitivity', 'Sensitivity'),
  reasons: t('editor.attention.reasons', 'Reasons'),
  ignore: t('editor.attention.ignore', 'Ignore'),
});

/** The label of a reason, with the variables that can switch it off. */
function reasonLabel(reason: Reason, attention: Attention): string {
  const variables = variablesOf(reason, attention);
  return variables.length > 0 ? `${labelOf(reason)} (${variables.join(', ')})` : labelOf(reason);
}

/** What is judged: how sensitively, for which reasons, and which automations or runners are ignored. */
export function AttentionInputs({ query, dataSet, datasource, days, onChange }: ControlProps) {
  const { attention = {}, groupBy } = query;
  const group = groupBy?.find((name) => attentionGroups.includes(name)) ?? attentionGroups[0];
  const texts = labels();
  const load: Load = useCallback(
    async (typed) => [
      ...(await suggestOptions(datasource, dataSet, group, { days, search: typed || undefined })),
      ...variableOptions({ datasource }),
    ],
    [datasource, dataSet, group, days]
  );
  const change = (changed: Attention) => onChange({ attention: compact(changed) });
  const ignored = ignoredThresholds(attention);
  return (
    <>
      <Select
        label={texts.sensitivity}
        testId={selectors.query.sensitivity}
        width={20}
        options={[...describedOptions(sensitivities), ...variableOptions({ datasource })]}
        value={attention.sensitivity ?? usualSensitivity}
        onChange={(value) => change({ ...attention, sensitivity: value === usualSensitivity ? undefined : value })}
      />
      <MultiSelect
        label={texts.reasons}
        testId={selectors.query.reasons}
        options={reasons.map((reason) => ({
          value: reason.name,
          label: reasonLabel(reason, attention),
          description: nameAndDescription(reason),
        }))}
        value={reasonsOn(attention).map(({ name }) => name)}
        onChange={(on) => change(withReasons(attention, on))}
      />
      <MultiSelect
        label={texts.ignore}
        testId={selectors.query.ignore}
        placeholder={t('editor.attention.ignore-none', 'None')}
        load={load}
        value={attention.ignore ?? []}
        onChange={(ignore) => change({ ...attention, ignore })}
      />
      {ignored.length > 0 && (
        <Notice
          severity="info"
          testId={selectors.query.thresholds}
          title={t(
            'editor.attention.thresholds',
            'These thresholds no longer have an effect, because what is usual is learned: {{names}}. Use the sensitivity instead.',
            { names: ignored.join(', '), interpolation: { escapeValue: false } }
          )}
          button={t('editor.attention.remove', 'Remove them')}
          onRemove={() => change(omit(attention, ignored))}
        />
      )}
    </>
  );
}

/** What is set, as texts. */
export function attentionTexts(attention: Attention = {}): string[] {
  const texts = labels();
  const { sensitivity, ignore = [] } = attention;
  const level = sensitivities.find(({ name }) => name === sensitivity);
  const on = reasonsOn(attention).map((reason) => reasonLabel(reason, attention));
  return [
    sensitivity && `${texts.sensitivity}: ${level ? labelOf(level) : sensitivity}`,
    !isEqual(on, reasons.map(labelOf)) && `${texts.reasons}: ${on.join(', ')}`,
    ignore.length > 0 && `${texts.ignore}: ${ignore.join(', ')}`,
    ...ignoredThresholds(attention).map((name) => `${name}: ${attention[name]}`),
  ].filter((text) => typeof text === 'string');
}
