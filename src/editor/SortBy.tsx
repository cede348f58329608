import React from 'react';

import { t } from '@grafana/i18n';
import { type ComboboxOption } from '@grafana/ui';

import { type DataSet, namedFields } from '../../schema/datasets';
import { Choice } from '../controls/Labeled';
import { Select } from '../controls/lists';
import { groupNames } from '../fit';
import { defaultFormat, type InsightsQuery, type Order } from '../query';
import { selectors } from '../selectors';
import { labelOfName } from '../texts';
import { type ControlProps, fieldChoices, variableOptions } from './control';
import { partLabels } from './inputs';

/** The field to sort rows or groups by, and the order. */
export function SortBy({ query, dataSet, datasource, seenFields, onChange }: ControlProps) {
  const isTable = (query.format ?? defaultFormat) === defaultFormat;
  const options = isTable
    ? fieldChoices({ datasource }, namedFields(dataSet), seenFields)
    : [...groupOptions(query, dataSet), ...variableOptions(datasource.variableNames())];
  const { sort } = query;
  const order = sort?.order ?? (isTable ? 'asc' : 'desc');
  return (
    <>
      <Select
        label={partLabels().sort}
        testId={selectors.query.sort}
        width={25}
        isClearable
        placeholder={isTable ? rowPlaceholder(dataSet) : t('editor.sort.largest', 'Largest first')}
        options={options}
        value={sort?.field}
        onChange={(field) => onChange({ sort: field ? { field, order } : undefined })}
      />
      {sort && (
        <Choice
          label={t('editor.order.label', 'Order')}
          testId={selectors.query.order}
          value={order}
          options={(['asc', 'desc'] as const).map((value) => ({ value, label: orderLabels()[value] }))}
          onChange={(selected) => onChange({ sort: { ...sort, order: selected } })}
        />
      )}
    </>
  );
}

/** The fields that groups can be sorted by: their measure and their labels. */
function groupOptions(query: InsightsQuery, dataSet: DataSet): ComboboxOption[] {
  return groupNames(query).map((name) => ({ value: name, label: labelOfName(dataSet, name) }));
}

function rowPlaceholder(dataSet: DataSet): string {
  const { defaultSort } = dataSet;
  return defaultSort
    ? `${labelOfName(dataSet, defaultSort.field)} (${orderLabels()[defaultSort.order]})`
    : t('editor.sort.none', 'Unsorted');
}

export function orderLabels(): Record<Order, string> {
  return { asc: t('editor.order.asc', 'Ascending'), desc: t('editor.order.desc', 'Descending') };
}
