import React, { type ComponentType } from 'react';

import { attentionDays } from '../../schema/attention';
import { type Part } from '../fit';
import { AttentionInputs } from './attention';
import { type ControlProps } from './control';
import { DaysInput, LimitInput, TimezoneInput } from './inputs';
import { SearchInput } from './SearchInput';
import {
  ColumnsSelect,
  CompareSelect,
  GroupBySelect,
  MeasureSelect,
  PerSelect,
  StateSelect,
  TimeFieldSelect,
} from './selects';
import { SortBy } from './SortBy';

/** The controls of the parts of a query that any editor can show. */
const controls: Record<Exclude<Part, 'queryType' | 'format' | 'filters'>, ComponentType<ControlProps>> = {
  columns: ColumnsSelect,
  measure: MeasureSelect,
  groupBy: GroupBySelect,
  state: StateSelect,
  per: PerSelect,
  compare: CompareSelect,
  days: DaysControl,
  search: SearchInput,
  sort: SortBy,
  limit: LimitInput,
  timeField: TimeFieldSelect,
  timezone: TimezoneInput,
  attention: AttentionInputs,
};

interface Props extends ControlProps {
  parts: Array<keyof typeof controls>;
  shows: (part: Part) => boolean;
}

/** The controls of those of these parts that are shown. */
export function Parts({ parts, shows, ...control }: Props) {
  return parts.filter(shows).map((part) => {
    const Control = controls[part];
    return <Control key={part} {...control} />;
  });
}

function DaysControl({ query, onChange }: ControlProps) {
  const placeholder = query.format === 'attention' ? String(attentionDays) : undefined;
  return <DaysInput days={query.days} placeholder={placeholder} onChange={(days) => onChange({ days })} />;
}
