import React, { useCallback } from 'react';

import { t } from '@grafana/i18n';
import { Alert, Button, type ComboboxOption } from '@grafana/ui';

import { reasons, sensitivities, usualSensitivity } from '../../schema/attention';
import { compact, ignoredThresholds, isOn, withReasons } from '../attention';
import { MultiSelect, Select, SuggestInputs } from '../controls/lists';
import { type Attention, attentionGroups } from '../query';
import { selectors } from '../selectors';
import { suggestOptions } from '../suggestions';
import { labelOf, nameAndDescription } from '../texts';
import { type ControlProps, variableOptions } from './control';

const labels = () => ({
  sensitivity: t('editor.attention.sensitivity', 'Sensitivity'),
  reasons: t('editor.attention.reasons', 'Reasons'),
  ignore: t('editor.attention.ignore', 'Ignore'),
});

const options = (named: typeof sensitivities) =>
  named.map((each) => ({ value: each.name, label: labelOf(each), description: nameAndDescription(each) }));

const reasonsOn = (attention?: Attention) => reasons.filter((reason) => isOn(reason, attention));

/** What is judged: how sensitively, for which reasons, and which automations or runners are ignored. */
export function AttentionInputs({ query, dataSet, datasource, days, onChange }: ControlProps) {
  const { attention = {}, groupBy: [group] = attentionGroups } = query;
  const texts = labels();
  const load = useCallback(
    async (typed: string): Promise<ComboboxOption[]> => [
      ...(await suggestOptions(datasource, dataSet, group, { days, search: typed || undefined })),
      ...variableOptions(datasource.variableNames()),
    ],
    [datasource, dataSet, group, days]
  );
  const change = (changed: Attention) => onChange({ attention: compact({ ...attention, ...changed }) });
  return (
    <>
      <Select
        label={texts.sensitivity}
        testId={selectors.query.sensitivity}
        width={20}
        options={[...options(sensitivities), ...variableOptions(datasource.variableNames())]}
        value={attention.sensitivity ?? usualSensitivity}
        onChange={(value) => change({ sensitivity: value === usualSensitivity ? undefined : value })}
      />
      <MultiSelect
        label={texts.reasons}
        testId={selectors.query.reasons}
        options={options(reasons)}
        value={reasonsOn(attention).map(({ name }) => name)}
        onChange={(on) => onChange({ attention: compact(withReasons(attention, on)) })}
      />
      <SuggestInputs
        label={texts.ignore}
        testId={selectors.query.ignore}
        placeholder={t('editor.attention.ignore-none', 'None')}
        load={load}
        value={attention.ignore ?? []}
        onChange={(ignore) => change({ ignore })}
      />
      <OldThresholds attention={attention} onChange={(changed) => onChange({ attention: compact(changed) })} />
    </>
  );
}

/** Says that thresholds of an old query no longer mean anything. */
function OldThresholds({ attention, onChange }: { attention: Attention; onChange: (changed: Attention) => void }) {
  const ignored = ignoredThresholds(attention);
  if (ignored.length === 0) {
    return null;
  }
  const names = ignored.join(', ');
  return (
    <Alert
      severity="info"
      bottomSpacing={0}
      topSpacing={0}
      data-testid={selectors.query.thresholds}
      title={t(
        'editor.attention.thresholds',
        'These thresholds no longer have an effect, because what is usual is learned: {{names}}. Use the sensitivity instead.',
        { names, interpolation: { escapeValue: false } }
      )}
    >
      <Button
        type="button"
        variant="secondary"
        size="sm"
        onClick={() =>
          onChange(
            withReasons(
              attention,
              reasonsOn(attention).map(({ name }) => name)
            )
          )
        }
      >
        {t('editor.attention.remove', 'Remove them')}
      </Button>
    </Alert>
  );
}

/** What is set, as texts. */
export function attentionTexts(attention?: Attention): string[] {
  const texts = labels();
  const { sensitivity, ignore = [] } = attention ?? {};
  const level = sensitivities.find(({ name }) => name === sensitivity);
  const on = reasonsOn(attention);
  return [
    sensitivity ? `${texts.sensitivity}: ${level ? labelOf(level) : sensitivity}` : '',
    on.length < reasons.length ? `${texts.reasons}: ${on.map(labelOf).join(', ')}` : '',
    ignore.length > 0 ? `${texts.ignore}: ${ignore.join(', ')}` : '',
  ].filter(Boolean);
}
