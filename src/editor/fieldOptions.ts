import { type DataFrame, type PanelData } from '@grafana/data';
import { t } from '@grafana/i18n';
import { type ComboboxOption } from '@grafana/ui';

import { type DataSet, type Field, fieldNames } from '../../datasets/datasets';
import { fieldDescription } from '../texts';

/** Fields as options of a combobox, with what they mean. */
export function fieldOptions(dataSet: DataSet, fields: Field[], group?: string): ComboboxOption[] {
  return fields.map((field) => ({ value: field.name, description: fieldDescription(dataSet, field), group }));
}

/** Names without a description: fields that the service added, dashboard variables. */
export function nameOptions(names: string[], group?: string): ComboboxOption[] {
  return names.map((name) => ({ value: name, group }));
}

/** Dashboard variables, which may stand for any text. */
export function variableOptions(names: string[]): ComboboxOption[] {
  return nameOptions(
    names.map((name) => `\${${name}}`),
    t('editor.variables', 'Variables')
  );
}

/** Fields that a table of this query had although no description has them: the service adds fields. */
export function seenFields(data: PanelData | undefined, refId: string, dataSet: DataSet): string[] {
  const known = new Set(fieldNames(dataSet));
  const isTable = (frame: DataFrame) => frame.refId === refId && frame.fields.some(({ name }) => known.has(name));
  const names = (data?.series ?? []).filter(isTable).flatMap((frame) => frame.fields.map(({ name }) => name));
  return [...new Set(names)].filter((name) => !known.has(name));
}
