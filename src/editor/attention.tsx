import { omitBy } from 'lodash';
import React from 'react';

import { formattedValueToString, getValueFormat } from '@grafana/data';

import { type Reason, reasons } from '../../schema/attention';
import { type InsightsQuery, isEmpty } from '../query';
import { selectors } from '../selectors';
import { labelOf, descriptionOf } from '../texts';
import { type ControlProps } from './control';
import { TextInput } from './inputs';

/** The thresholds of the reasons. Variables are allowed, so the backend validates the values. */
export function ThresholdInputs({ query: { attention }, onChange }: ControlProps) {
  return reasons.map((reason) => (
    <TextInput
      key={reason.name}
      label={labelOf(reason)}
      description={descriptionOf(reason)}
      placeholder={defaultText(reason)}
      value={attention?.[reason.name]?.toString()}
      testId={selectors.query.threshold(reason.name)}
      onChange={(text) => onChange({ attention: withThreshold(attention, reason.name, text) })}
    />
  ));
}

function defaultText({ threshold, unit }: Reason): string {
  return formattedValueToString(getValueFormat(unit)(threshold));
}

function withThreshold(attention: InsightsQuery['attention'], name: string, text: string) {
  const value = Number.isNaN(Number(text)) ? text : Number(text);
  return omitBy({ ...attention, [name]: text && value }, isEmpty);
}
