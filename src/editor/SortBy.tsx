import React from 'react';

import { t } from '@grafana/i18n';
import { type ComboboxOption } from '@grafana/ui';

import { type DataSet, namedFields } from '../../schema/datasets';
import { groupNames } from '../fit';
import { defaultFormat, type InsightsQuery, type Order } from '../query';
import { selectors } from '../selectors';
import { labelOfName } from '../texts';
import { type ControlProps, fieldOptions, findable, nameOptions, variableOptions } from './control';
import { Choice, ClearableSelect, partLabels } from './inputs';

/** The field to sort rows or groups by, and the order. */
export function SortBy({ query, dataSet, datasource, seenFields, onChange }: ControlProps) {
  const isTable = (query.format ?? defaultFormat) === defaultFormat;
  const { options, chosen } = findable([
    ...(isTable ? fieldOptions(dataSet, namedFields(dataSet)) : groupOptions(query, dataSet)),
    ...nameOptions(isTable ? seenFields : []),
    ...variableOptions(datasource.variableNames()),
  ]);
  const { sort } = query;
  const order = sort?.order ?? (isTable ? 'asc' : 'desc');
  return (
    <>
      <ClearableSelect
        label={partLabels().sort}
        testId={selectors.query.sort}
        width={25}
        placeholder={isTable ? rowPlaceholder(dataSet) : t('editor.sort.largest', 'Largest first')}
        options={options}
        value={sort ? chosen(sort.field) : null}
        onChange={(field) => onChange({ sort: field ? { field, order } : undefined })}
      />
      {sort && (
        <Choice
          label={t('editor.order.label', 'Order')}
          testId={selectors.query.order}
          value={order}
          // As saved, so that a variable is visible.
          options={[...new Set<Order>(['asc', 'desc', order])].map((value) => ({
            value,
            label: orderLabels()[value] ?? value,
          }))}
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
