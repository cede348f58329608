import React from 'react';

import { t } from '@grafana/i18n';
import { Alert } from '@grafana/ui';

import { type DataSet } from '../../datasets/datasets';
import { formatLabels } from '../describe';
import { type Dropped } from '../fit';
import { defaultFormat, type Format } from '../query';
import { selectors } from '../selectors';
import { dataSetLabel } from '../texts';

interface Props {
  dropped: Dropped[];
  dataSet: DataSet;
  format: Format | undefined;
  onDismiss: () => void;
}

/** Says what the last change of data set or format dropped from the query. */
export function DroppedAlert({ dropped, dataSet, format = defaultFormat, onDismiss }: Props) {
  if (dropped.length === 0) {
    return null;
  }
  return (
    <Alert
      severity="info"
      bottomSpacing={0}
      topSpacing={0}
      data-testid={selectors.query.dropped}
      title={t('editor.dropped.title', 'Dropped: {{parts}}', {
        parts: dropped.map(describe).join(', '),
        interpolation: { escapeValue: false },
      })}
      onRemove={onDismiss}
    >
      {t('editor.dropped.reason', '{{dataSet}}, shown as {{format}}, cannot use this. Everything else was kept.', {
        dataSet: dataSetLabel(dataSet),
        format: formatLabels()[format].toLowerCase(),
      })}
    </Alert>
  );
}

function describe({ part, value }: Dropped): string {
  const values = { value, interpolation: { escapeValue: false } };
  const texts: Record<Dropped['part'], string> = {
    search: t('editor.dropped.search', 'search for {{value}}', values),
    sort: t('editor.dropped.sort', 'sort by {{value}}', values),
    filter: t('editor.dropped.filter', 'filter on {{value}}', values),
    column: t('editor.dropped.column', 'column {{value}}', values),
    measure: t('editor.dropped.measure', 'measure {{value}}', values),
    groupBy: t('editor.dropped.group-by', 'group by {{value}}', values),
    timeField: t('editor.dropped.time-field', 'time field {{value}}', values),
  };
  return texts[part];
}
