import React from 'react';

import { type QueryEditorProps } from '@grafana/data';
import { EditorRow, EditorRows } from '@grafana/plugin-ui';

import { getDataSet } from '../../datasets/datasets';
import { type DataSource } from '../datasource';
import { changeDataSet } from '../fit';
import { type InsightsQuery, type QueryParts, withParts } from '../query';
import { selectors } from '../selectors';
import { type InsightsJsonData } from '../settings';
import { daysBack } from '../suggestions';
import { ColumnsSelect } from './ColumnsSelect';
import { type ControlProps } from './control';
import { DataSetSelect } from './DataSetSelect';
import { DaysInput } from './DaysInput';
import { seenFields } from './fieldOptions';
import { LimitInput } from './LimitInput';
import { SearchInput } from './SearchInput';
import { SortBy } from './SortBy';

export type Props = QueryEditorProps<DataSource, InsightsQuery, InsightsJsonData>;

/** Edits one query: what is asked, then only the controls that its format has. */
export function QueryEditor({ query, datasource, data, range, onChange, onRunQuery }: Props) {
  const dataSet = getDataSet(query.queryType);
  const run = (changed: InsightsQuery) => {
    onChange(changed);
    onRunQuery();
  };
  const control: ControlProps = {
    query,
    dataSet,
    datasource,
    days: query.days ?? daysBack(range) ?? 30,
    seenFields: seenFields(data, query.refId, dataSet),
    onChange: (parts: Partial<QueryParts>) => run(withParts(query, parts)),
  };
  return (
    <div data-testid={selectors.query.editor}>
      <EditorRows>
        <EditorRow>
          <DataSetSelect dataSet={dataSet} onChange={(name) => run(changeDataSet(query, name).query)} />
          <DaysInput days={query.days} onChange={(days) => control.onChange({ days })} />
          <SearchInput {...control} />
        </EditorRow>
        <EditorRow>
          <SortBy {...control} />
        </EditorRow>
        <EditorRow>
          <ColumnsSelect {...control} />
          <LimitInput {...control} />
        </EditorRow>
      </EditorRows>
    </div>
  );
}
