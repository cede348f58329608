import { css } from '@emotion/css';
import { omit } from 'lodash';
import React, { useState } from 'react';

import { type QueryEditorProps } from '@grafana/data';
import { EditorRow } from '@grafana/plugin-ui';
import { Stack } from '@grafana/ui';

import { attentionDays } from '../../schema/attention';
import { getDataSet } from '../../schema/datasets';
import { type DataSource } from '../datasource';
import { changeDataSet, changeFormat, changeParts, type Fitted, formatsFor, isComparable, isLineOfSums } from '../fit';
import { normalize } from '../normalize';
import { changeVisualization } from '../panel/panelDefaults';
import { useVisualization } from '../panel/rerun';
import { applyPreset, type Preset } from '../presets';
import {
  defaultFormat,
  type Format,
  hasOwnOrder,
  type InsightsQuery,
  isRule,
  isVariable,
  showsMeasure,
} from '../query';
import { selectors } from '../selectors';
import { type InsightsJsonData } from '../settings';
import { daysBack, defaultDays } from '../suggestions';
import { InvalidAlert, ResetAlert } from './alerts';
import { ThresholdInputs } from './attention';
import { type ControlProps, seenFields, useChanged } from './control';
import { Filters } from './Filters';
import { useFirstQuery } from './firstQuery';
import { ConditionHelp, FormatHelp, MeasureHelp, StepHelp } from './help';
import { DaysInput, LimitInput } from './inputs';
import { More } from './More';
import { PresetsMenu } from './Presets';
import {
  ColumnsSelect,
  CompareSelect,
  DataSetSelect,
  FormatChoice,
  GroupBySelect,
  MeasureSelect,
  PerSelect,
  StateSelect,
  TimeFieldSelect,
} from './selects';
import { SortBy } from './SortBy';
import { SearchInput } from './SuggestInput';

export type Props = QueryEditorProps<DataSource, InsightsQuery, InsightsJsonData>;

/** Keeps the text in place, regardless of the width of the controls above it. */
const ownLine = css({ flexBasis: '100%' });

/** Edits a query: first what to query, then the filters, then the controls that few queries need. */
export function QueryEditor({ query: saved, datasource, data, range, app, onChange, onRunQuery }: Props) {
  const [reset, setReset] = useState<Fitted['reset']>([]);
  const { query, invalid } = normalize(saved);
  const dataSet = getDataSet(query.queryType);
  // A variable can be any format.
  const isAny = isVariable(query.format);
  const isTable = isAny || (query.format ?? defaultFormat) === defaultFormat;
  const isTimeline = query.format === 'timeline';
  const isAttention = query.format === 'attention';
  // What ran in the time range, and what needs attention now, don't depend on a time field.
  const hasTimeField = Boolean(dataSet.timeFields) && !hasOwnOrder(query.format);

  useFirstQuery({ app, query: saved, data, onChange, onRunQuery });
  useVisualization(query, data, onRunQuery);
  const hasChanged = useChanged(saved);

  const apply = (fitted: Fitted, remaining: object = invalid) => {
    const changed = { ...fitted.query, ...remaining };
    if (!hasChanged(changed)) {
      return;
    }
    setReset(fitted.reset);
    onChange(changed);
    onRunQuery();
  };
  const control: ControlProps = {
    query,
    dataSet,
    datasource,
    days: query.days ?? daysBack(range) ?? defaultDays,
    seenFields: seenFields(data, query.refId, dataSet),
    onChange: (parts) => apply(changeParts(query, parts), omit(invalid, Object.keys(parts))),
  };

  const choosePreset = async ({ query: parts, look }: Preset) => {
    await changeVisualization(data?.request, look);
    apply({ query: applyPreset(query, parts), reset: [] }, {});
  };

  return (
    <div data-testid={selectors.query.editor}>
      {/* EditorRows would wrap, and so be as wide as its widest row. */}
      <Stack direction="column" gap={0.5}>
        <InvalidAlert invalid={invalid} onRemove={() => apply({ query, reset: [] }, {})} />
        <EditorRow>
          <PresetsMenu onChoose={choosePreset} />
          <DataSetSelect name={query.queryType} onChange={(name) => apply(changeDataSet(query, name))} />
          <FormatChoice
            offered={formatsFor(dataSet).filter((format) => format === query.format || canShow(app, format))}
            format={query.format}
            onChange={(format) => apply(changeFormat(query, format))}
          />
          {isTable && <ColumnsSelect {...control} />}
          {(isAny || hasOwnOrder(query.format) || showsMeasure(query.format)) && (
            <>
              <div className={ownLine}>
                <Stack gap={2} wrap="wrap">
                  {!hasOwnOrder(query.format) && <MeasureSelect {...control} />}
                  <GroupBySelect {...control} />
                  {isTimeline && <StateSelect {...control} />}
                  {(isAny || query.format === 'timeseries') && <PerSelect {...control} />}
                </Stack>
              </div>
              <div className={ownLine}>
                {hasOwnOrder(query.format) ? <FormatHelp format={query.format} /> : <MeasureHelp {...control} />}
                {isRule(app) && <ConditionHelp query={query} dataSet={dataSet} series={data?.series} />}
                {isLineOfSums(query) && <StepHelp per={query.per} />}
              </div>
            </>
          )}
        </EditorRow>
        <EditorRow>
          {/* An incomplete filter belongs to the data set that it was added for. */}
          <Filters key={dataSet.name} {...control} />
          <More query={query} hasTimeField={hasTimeField}>
            {isComparable(query) && <CompareSelect {...control} />}
            <DaysInput
              days={query.days}
              placeholder={isAttention ? String(attentionDays) : undefined}
              onChange={(days) => control.onChange({ days })}
            />
            <SearchInput {...control} />
            {!hasOwnOrder(query.format) && <SortBy {...control} />}
            <LimitInput {...control} />
            {hasTimeField && <TimeFieldSelect {...control} />}
            {isAttention && <ThresholdInputs {...control} />}
          </More>
        </EditorRow>
        <ResetAlert query={query} reset={reset} onDismiss={() => setReset([])} />
      </Stack>
    </div>
  );
}

/** A rule needs numbers. */
function canShow(app: Props['app'], format: Format): boolean {
  return format !== 'timeline' || !isRule(app);
}
