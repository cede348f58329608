import { isEqual } from 'lodash';
import React, { useCallback } from 'react';

import { t } from '@grafana/i18n';

import { reasons, sensitivities, usualSensitivity } from '../../schema/attention';
import { type Named } from '../../schema/datasets';
import { compact, reasonsOn, variableOf, withReasons } from '../query/attention';
import { type Load, MultiSelect, Select } from '../controls/lists';
import { type Attention, attentionGroups } from '../query/query';
import { selectors } from '../selectors';
import { suggestOptions } from '../source/suggestions';
import { labelOf, nameAndDescription } from '../query/texts';
import { type ControlProps, describedOptions, variableOptions } from './control';

const labels = () => ({
  sensitivity: t('editor.attention.sensitivity', 'Sensitivity'),
  reasons: t('editor.attention.reasons', 'Reasons'),
  ignore: t('editor.attention.ignore', 'Ignore'),
});

/** The label of a reason, with the variable that can switch it off. */
function reasonLabel(reason: Named, attention: Attention): string {
  const variable = variableOf(reason, attention);
  return variable ? `${labelOf(reason)} (${variable})` : labelOf(reason);
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
  ].filter((text) => typeof text === 'string');
}
