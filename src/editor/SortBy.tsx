import React from 'react';

import { t } from '@grafana/i18n';
import { Combobox, RadioButtonGroup } from '@grafana/ui';

import { serviceSortFields } from '../../datasets/datasets';
import { type Order } from '../query';
import { selectors } from '../selectors';
import { type ControlProps } from './control';
import { fieldOptions, nameOptions, variableOptions } from './fieldOptions';
import { Labeled } from './Labeled';

/** Which field rows are sorted by, those first that the service itself can sort by, and in which order. */
export function SortBy({ query, dataSet, datasource, seenFields, onChange }: ControlProps) {
  const byService = serviceSortFields(dataSet);
  const others = dataSet.fields.filter((field) => !byService.includes(field));
  const here = t('editor.sort.here', 'Sorted after reading');
  const options = [
    ...fieldOptions(dataSet, byService, t('editor.sort.service', 'Sorted by the service')),
    ...fieldOptions(dataSet, others, here),
    ...nameOptions(seenFields, here),
    ...variableOptions(datasource.variableNames()),
  ];
  const order = query.sort?.order ?? 'asc';
  return (
    <>
      <Labeled label={t('editor.sort.label', 'Sort by')}>
        {({ id }) => (
          <Combobox
            id={id}
            data-testid={selectors.query.sort}
            width={25}
            isClearable
            placeholder={sortPlaceholder(dataSet.defaultSort)}
            options={options}
            value={query.sort?.field ?? null}
            onChange={(option) => onChange({ sort: option ? { field: option.value, order } : undefined })}
          />
        )}
      </Labeled>
      <OrderChoice
        order={order}
        disabled={!query.sort}
        onChange={(chosen) => query.sort && onChange({ sort: { ...query.sort, order: chosen } })}
      />
    </>
  );
}

function sortPlaceholder(sort: ControlProps['dataSet']['defaultSort']): string {
  return sort ? `${sort.field}, ${sort.order}` : t('editor.sort.none', 'As the service sends them');
}

interface OrderProps {
  order: Order;
  disabled: boolean;
  onChange: (order: Order) => void;
}

function OrderChoice({ order, disabled, onChange }: OrderProps) {
  const label = t('editor.order.label', 'Order');
  return (
    <Labeled label={label}>
      {({ id }) => (
        <div data-testid={selectors.query.order}>
          <RadioButtonGroup
            id={id}
            aria-label={label}
            disabled={disabled}
            value={order}
            options={[
              { value: 'asc', label: t('editor.order.asc', 'Ascending') },
              { value: 'desc', label: t('editor.order.desc', 'Descending') },
            ]}
            onChange={onChange}
          />
        </div>
      )}
    </Labeled>
  );
}
