import { css } from '@emotion/css';
import React, { useState } from 'react';

import { type QueryEditorProps } from '@grafana/data';
import { t } from '@grafana/i18n';
import { EditorRow } from '@grafana/plugin-ui';
import { Alert, Stack } from '@grafana/ui';

import { type DataSet, getDataSet } from '../../datasets/datasets';
import { type DataSource } from '../datasource';
import {
  changeDataSet,
  changeFormat,
  changeParts,
  type Dropped,
  type Fitted,
  formatsFor,
  isComparable,
  isLineOfSums,
} from '../fit';
import { changeVisualization } from '../panel/panelDefaults';
import { useVisualization } from '../panel/rerun';
import { applyPreset, type Preset, presets } from '../presets';
import { type Compare, defaultFormat, type Format, type InsightsQuery, isRule, type Per, showsMeasure } from '../query';
import { selectors } from '../selectors';
import { type InsightsJsonData } from '../settings';
import { daysBack, defaultDays } from '../suggestions';
import { dataSetLabel, formatLabels, labelOfName } from '../texts';
import { type ControlProps, seenFields, useChanged } from './control';
import { Filters } from './Filters';
import { useFirstQuery } from './firstQuery';
import { ConditionHelp, MeasureHelp, StepHelp, TimelineHelp } from './help';
import { DaysInput, LimitInput } from './inputs';
import { More } from './More';
import { PresetsMenu } from './Presets';
import {
  ColumnsSelect,
  compareLabels,
  CompareSelect,
  DataSetSelect,
  FormatChoice,
  GroupBySelect,
  MeasureSelect,
  perLabels,
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
export function QueryEditor({ query, datasource, data, range, app, onChange, onRunQuery }: Props) {
  const [dropped, setDropped] = useState<Dropped[]>([]);
  const [from, setFrom] = useState<DataSet>();
  const dataSet = getDataSet(query.queryType);
  const isTable = (query.format ?? defaultFormat) === defaultFormat;
  const isTimeline = query.format === 'timeline';

  // A timeline shows what ran in the time range, whatever the time field.
  const hasTimeField = Boolean(dataSet.timeFields) && !isTimeline;

  useFirstQuery({ app, query, data, onChange, onRunQuery });
  useVisualization(query, data, onRunQuery);
  const hasChanged = useChanged(query);

  const apply = (fitted: Fitted) => {
    if (!hasChanged(fitted.query)) {
      return;
    }
    setDropped(fitted.dropped);
    setFrom(dataSet);
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

  const choosePreset = async ({ query: parts, look }: Preset) => {
    const looks = presets().map((preset) => preset.look);
    await changeVisualization(data?.request, look, looks);
    apply({ query: applyPreset(query, parts), dropped: [] });
  };

  return (
    <div data-testid={selectors.query.editor}>
      {/* EditorRows would wrap, and so be as wide as its widest row. */}
      <Stack direction="column" gap={0.5}>
        <EditorRow>
          <PresetsMenu onChoose={choosePreset} />
          <DataSetSelect name={query.queryType} onChange={(name) => apply(changeDataSet(query, name))} />
          <FormatChoice
            offered={formatsFor(dataSet).filter((format) => format === query.format || canShow(app, format))}
            format={query.format}
            onChange={(format) => apply(changeFormat(query, format))}
          />
          {isTable && <ColumnsSelect {...control} />}
          {(isTimeline || showsMeasure(query.format)) && (
            <>
              <div className={ownLine}>
                <Stack gap={2} wrap="wrap">
                  {!isTimeline && <MeasureSelect {...control} />}
                  <GroupBySelect {...control} />
                  {isTimeline && <StateSelect {...control} />}
                  {query.format === 'timeseries' && <PerSelect {...control} />}
                </Stack>
              </div>
              <div className={ownLine}>
                {isTimeline ? <TimelineHelp /> : <MeasureHelp {...control} />}
                {isRule(app) && <ConditionHelp query={query} dataSet={dataSet} series={data?.series} />}
                {isLineOfSums(query) && (
                  <StepHelp per={query.per} interval={data?.request?.interval} intervalMs={data?.request?.intervalMs} />
                )}
              </div>
            </>
          )}
        </EditorRow>
        <EditorRow>
          {/* An incomplete filter belongs to the data set that it was added for. */}
          <Filters key={dataSet.name} {...control} />
          <More query={query} hasTimeField={hasTimeField}>
            {isComparable(query) && <CompareSelect {...control} />}
            <DaysInput days={query.days} onChange={(days) => control.onChange({ days })} />
            <SearchInput {...control} />
            {!isTimeline && <SortBy {...control} />}
            <LimitInput {...control} />
            {hasTimeField && <TimeFieldSelect {...control} />}
          </More>
        </EditorRow>
        <DroppedAlert
          dropped={dropped}
          from={from ?? dataSet}
          dataSet={dataSet}
          format={query.format}
          onDismiss={() => setDropped([])}
        />
      </Stack>
    </div>
  );
}

/** A rule needs numbers. */
function canShow(app: Props['app'], format: Format): boolean {
  return format !== 'timeline' || !isRule(app);
}

interface DroppedAlertProps {
  dropped: Dropped[];
  /** The data set before the change. */
  from: DataSet;
  dataSet: DataSet;
  format: Format | undefined;
  onDismiss: () => void;
}

/** Lists the parts of the query that the last change of data set or format dropped. */
export function DroppedAlert({ dropped, from, dataSet, format = defaultFormat, onDismiss }: DroppedAlertProps) {
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
        parts: dropped.map((part) => describe(part, from)).join(', '),
        interpolation: { escapeValue: false },
      })}
      onRemove={onDismiss}
    >
      {t('editor.dropped.reason', 'This does not apply to {{dataSet}} shown as {{format}}. Everything else was kept.', {
        dataSet: dataSetLabel(dataSet),
        format: formatLabels()[format].toLowerCase(),
      })}
    </Alert>
  );
}

function describe(dropped: Dropped, dataSet: DataSet): string {
  const values = { value: valueLabel(dropped, dataSet), interpolation: { escapeValue: false } };
  const texts: Record<Dropped['part'], string> = {
    search: t('editor.dropped.search', 'search for {{value}}', values),
    sort: t('editor.dropped.sort', 'sorting by {{value}}', values),
    filters: t('editor.dropped.filter', 'filter on {{value}}', values),
    columns: t('editor.dropped.column', 'column {{value}}', values),
    measure: t('editor.dropped.measure', 'measure {{value}}', values),
    groupBy: t('editor.dropped.group-by', 'grouping by {{value}}', values),
    timeField: t('editor.dropped.time-field', 'time field {{value}}', values),
    compare: t('editor.dropped.compare', 'comparison with {{value}}', values),
    per: t('editor.dropped.per', 'one point per {{value}}', values),
    state: t('editor.dropped.state', 'bars by {{value}}', values),
    format: t('editor.dropped.format', 'shown as {{value}}', values),
  };
  return texts[dropped.part];
}

/** What the controls showed for a saved value. */
function valueLabel({ part, value }: Dropped, dataSet: DataSet): string {
  switch (part) {
    case 'search':
      return value;
    case 'compare':
      return compareLabels()[value as Compare] ?? value;
    case 'per':
      return perLabels()[value as Per] ?? value;
    case 'format':
      return formatLabels()[value as Format];
    default:
      return labelOfName(dataSet, value);
  }
}
