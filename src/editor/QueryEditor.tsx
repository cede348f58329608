import React, { useState } from 'react';

import { type QueryEditorProps } from '@grafana/data';
import { EditorRow, EditorRows } from '@grafana/plugin-ui';

import { getDataSet } from '../../datasets/datasets';
import { type DataSource } from '../datasource';
import { changeDataSet, changeFormat, changeParts, type Dropped, type Fitted, isLineOfSums } from '../fit';
import { applyPreset } from '../presets';
import { defaultFormat, type InsightsQuery } from '../query';
import { selectors } from '../selectors';
import { type InsightsJsonData } from '../settings';
import { daysBack, defaultDays } from '../suggestions';
import { ColumnsSelect } from './ColumnsSelect';
import { type ControlProps } from './control';
import { DataSetSelect } from './DataSetSelect';
import { DaysInput } from './DaysInput';
import { DroppedAlert } from './DroppedAlert';
import { seenFields } from './fieldOptions';
import { Filters } from './Filters';
import { FormatChoice } from './FormatChoice';
import { GroupBySelect } from './GroupBySelect';
import { LimitInput } from './LimitInput';
import { MeasureHelp } from './MeasureHelp';
import { MeasureSelect } from './MeasureSelect';
import { PresetsMenu } from './PresetsMenu';
import { SearchInput } from './SearchInput';
import { SortBy } from './SortBy';
import { StepHelp } from './StepHelp';
import { TimeFieldSelect } from './TimeFieldSelect';
import { useNews } from './useNews';
import { useSavedDefault } from './useSavedDefault';

export type Props = QueryEditorProps<DataSource, InsightsQuery, InsightsJsonData>;

/** Edits one query: what is asked, then only the controls that its format has. */
export function QueryEditor({ query, datasource, data, range, app, onChange, onRunQuery }: Props) {
  const [dropped, setDropped] = useState<Dropped[]>([]);
  const dataSet = getDataSet(query.queryType);
  const isTable = (query.format ?? defaultFormat) === defaultFormat;

  useSavedDefault(app, query, onChange);
  const isNews = useNews(query);

  const apply = (fitted: Fitted) => {
    if (!isNews(fitted.query)) {
      return;
    }
    setDropped(fitted.dropped);
    onChange(fitted.query);
    onRunQuery();
  };
  const control: ControlProps = {
    query,
    dataSet,
    datasource,
    days: query.days ?? daysBack(range) ?? defaultDays,
    seenFields: seenFields(data, query.refId, dataSet),
    onChange: (parts) => apply(changeParts(query, parts)),
  };

  return (
    <div data-testid={selectors.query.editor}>
      <EditorRows>
        <EditorRow>
          <DataSetSelect name={query.queryType} onChange={(name) => apply(changeDataSet(query, name))} />
          <FormatChoice format={query.format} onChange={(format) => apply(changeFormat(query, format))} />
          <DaysInput days={query.days} onChange={(days) => control.onChange({ days })} />
          <SearchInput {...control} />
          <PresetsMenu onChoose={(preset) => apply({ query: applyPreset(query, preset), dropped: [] })} />
        </EditorRow>
        {!isTable && (
          <EditorRow>
            <MeasureSelect {...control} />
            <GroupBySelect {...control} />
            <MeasureHelp {...control} />
            {isLineOfSums(query) && (
              <StepHelp interval={data?.request?.interval} intervalMs={data?.request?.intervalMs} />
            )}
          </EditorRow>
        )}
        <EditorRow>
          <SortBy {...control} />
          {isTable && <ColumnsSelect {...control} />}
          <LimitInput {...control} />
          {dataSet.timeFields && (
            <TimeFieldSelect
              dataSet={dataSet}
              timeField={query.timeField}
              onChange={(timeField) => control.onChange({ timeField })}
            />
          )}
        </EditorRow>
        <EditorRow>
          {/* A filter that is not complete belongs to the data set that it was begun for. */}
          <Filters key={dataSet.name} {...control} />
        </EditorRow>
        <DroppedAlert dropped={dropped} dataSet={dataSet} format={query.format} onDismiss={() => setDropped([])} />
      </EditorRows>
    </div>
  );
}
