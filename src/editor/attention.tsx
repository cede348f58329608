import { isEqual, omit, pickBy } from 'lodash';
import React, { useCallback } from 'react';

import { t } from '@grafana/i18n';

import { reasons, sensitivities, usualSensitivity } from '../../schema/attention';
import { getDataSet, type Named } from '../../schema/datasets';
import { Choice } from '../controls/Labeled';
import { type Load, MultiSelect, Select } from '../controls/lists';
import { type Attention, attentionGroups, isEmpty, isVariable } from '../query/query';
import { selectors } from '../selectors';
import { suggestOptions } from '../source/suggestions';
import { formatLabel, labelOf, nameAndDescription } from '../query/texts';
import { type ControlProps, describedOptions, variableOptions } from './control';

/** Whether a reason is on, as in the backend: null and false are no zero. */
const isOn = ({ name }: Named, attention: Attention) => String(attention[name]).trim() !== '0';

const reasonsOn = (attention: Attention = {}) => reasons.filter((reason) => isOn(reason, attention));

function variableOf({ name }: Named, attention: Attention): string | undefined {
  const value = String(attention[name]);
  return isVariable(value) ? value : undefined;
}

/** Switches these reasons on, and the others off. What is saved for a reason stays until the reason is switched. */
function withReasons(attention: Attention, on: string[]): Attention {
  const switched = reasons.filter((reason) => isOn(reason, attention) !== on.includes(reason.name));
  const off = switched.filter(({ name }) => !on.includes(name)).map(({ name }) => [name, 0]);
  const names = switched.map(({ name }) => name);
  return { ...omit(attention, names), ...Object.fromEntries(off) };
}

const compact = (attention: Attention) => pickBy(attention, (value) => !isEmpty(value)) as Attention;

const labels = () => ({
  sensitivity: t('editor.attention.sensitivity', 'Sensitivity'),
  reasons: t('editor.attention.reasons', 'Reasons'),
  ignore: t('editor.attention.ignore', 'Ignore'),
  runners: labelOf(getDataSet('runners')),
  all: t('editor.limit.all', 'All'),
});

/** The label of a reason, with the variable that can switch it off. */
function reasonLabel(reason: Named, attention: Attention): string {
  const variable = variableOf(reason, attention);
  return variable ? `${labelOf(reason)} (${variable})` : labelOf(reason);
}

/** What is judged: how sensitively, for which reasons, and which automations or runners are ignored. */
export function AttentionInputs({ query, dataSet, datasource, days, onChange }: ControlProps) {
  const { attention = {}, groupBy } = query;
  const [automation, runner] = attentionGroups;
  const group = groupBy?.find((name) => attentionGroups.includes(name)) ?? automation;
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
      {(group === runner || attention.all) && (
        <Choice
          label={texts.runners}
          testId={selectors.query.all}
          options={[
            { value: '', label: formatLabel('attention') },
            { value: 'all', label: texts.all },
          ]}
          value={attention.all ? 'all' : ''}
          onChange={(which) => change({ ...attention, all: which === 'all' || undefined })}
        />
      )}
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
  const { sensitivity, ignore = [], all } = attention;
  const level = sensitivities.find(({ name }) => name === sensitivity);
  const on = reasonsOn(attention).map((reason) => reasonLabel(reason, attention));
  return [
    sensitivity && `${texts.sensitivity}: ${level ? labelOf(level) : sensitivity}`,
    !isEqual(on, reasons.map(labelOf)) && `${texts.reasons}: ${on.join(', ')}`,
    all && `${texts.runners}: ${texts.all}`,
    ignore.length > 0 && `${texts.ignore}: ${ignore.join(', ')}`,
  ].filter((text) => typeof text === 'string');
}
