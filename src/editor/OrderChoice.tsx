import React from 'react';

import { t } from '@grafana/i18n';
import { RadioButtonGroup } from '@grafana/ui';

import { type Order } from '../query';
import { selectors } from '../selectors';
import { Labeled } from './Labeled';

interface Props {
  order: Order;
  disabled: boolean;
  onChange: (order: Order) => void;
}

/** Smallest or largest first. */
export function OrderChoice({ order, disabled, onChange }: Props) {
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
