import { omit } from 'lodash';
import React from 'react';

import { type TimeRange } from '@grafana/data';
import { EditorRow, EditorRows } from '@grafana/plugin-ui';

import { getDataSet } from '../../schema/datasets';
import { normalize } from '../normalize';
import { type InsightsQuery, type QueryParts, withParts } from '../query';
import { selectors } from '../selectors';
import { daysBack, defaultDays, type EditorSource } from '../suggestions';
import { InvalidAlert } from './alerts';
import { type ControlProps } from './control';
import { Filters } from './Filters';
import { TimeFieldSelect } from './selects';
import { SearchInput } from './SuggestInput';

interface Props {
  query: InsightsQuery;
  datasource: EditorSource;
  range?: TimeRange;
  onChange: (query: InsightsQuery) => void;
  onRunQuery: () => void;
}

/** Edits an annotation query: the tasks to mark, and the time field to mark them at. */
export function AnnotationEditor({ query: saved, datasource, range, onChange, onRunQuery }: Props) {
  const { query, invalid } = normalize(saved);
  const dataSet = getDataSet('tasks');
  const change = (parts: Partial<QueryParts>, remaining: object = omit(invalid, Object.keys(parts))) => {
    onChange({ ...withParts(query, parts), ...remaining });
    onRunQuery();
  };
  const control: ControlProps = {
    query,
    dataSet,
    datasource,
    days: daysBack(range) ?? defaultDays,
    seenFields: [],
    onChange: change,
  };
  return (
    <EditorRows>
      <InvalidAlert invalid={invalid} onRemove={() => change({}, {})} />
      <EditorRow>
        <SearchInput {...control} testId={selectors.annotation.search} />
        <TimeFieldSelect {...control} testId={selectors.annotation.timeField} />
      </EditorRow>
      <EditorRow>
        <Filters {...control} />
      </EditorRow>
    </EditorRows>
  );
}
