import { omit, unionBy } from 'lodash';
import React from 'react';

import { t } from '@grafana/i18n';

import { type DataSetName, dataSets, groupableFields, measures, type Named, namedFields } from '../../schema/datasets';
import { Choice } from '../controls/Labeled';
import { MultiSelect, Select } from '../controls/lists';
import { groupsFor, isLineOfSums, isOffered, measuresFor } from '../fit';
import {
  attentionGroups,
  type Compare,
  defaultFormat,
  defaultLane,
  defaultState,
  type Format,
  type Per,
} from '../query';
import { selectors } from '../selectors';
import { formatLabel, labelOf, labelOfName } from '../texts';
import { type ControlProps, fieldChoices, labeledChoices } from './control';
import { partLabels } from './inputs';
import { labelProblem, measureProblem } from './problems';

interface DataSetSelectProps {
  /** As saved, so that an unknown name is visible. */
  name: DataSetName | undefined;
  testId?: string;
  onChange: (name: DataSetName) => void;
}

/** The data set to query. */
export function DataSetSelect({
  name = dataSets[0].name,
  testId = selectors.query.dataSet,
  onChange,
}: DataSetSelectProps) {
  return (
    <Choice
      label={partLabels().queryType}
      testId={testId}
      options={dataSets.map((dataSet) => ({ value: dataSet.name, label: labelOf(dataSet) }))}
      value={name}
      onChange={onChange}
    />
  );
}

interface FormatChoiceProps {
  offered: Format[];
  format: Format | undefined;
  onChange: (format: Format) => void;
}

/** The format: table, number, line, or timeline. */
export function FormatChoice({ offered, format = defaultFormat, onChange }: FormatChoiceProps) {
  return (
    <Choice
      label={partLabels().format}
      testId={selectors.query.format}
      value={format}
      options={offered.map((value) => ({ value, label: formatLabel(value) }))}
      onChange={onChange}
    />
  );
}

/** What is offered and, so that it is shown by its label, what is saved although it isn't. */
function withSaved<T extends Named>(offered: T[], all: T[], saved: Array<string | undefined> = []): T[] {
  return unionBy(
    offered,
    all.filter(({ name }) => saved.includes(name)),
    'name'
  );
}

/** The measure. Lines of automations and runners offer only measures that add up over time. */
export function MeasureSelect({ query, dataSet, datasource, onChange }: ControlProps) {
  const offered = withSaved(measuresFor(dataSet, query.format), measures(dataSet), [query.measure]);
  return (
    <Select
      label={partLabels().measure}
      problem={measureProblem(query, dataSet)}
      testId={selectors.query.measure}
      width={35}
      isClearable={!isOffered(query, 'measure')}
      options={fieldChoices({ datasource }, offered)}
      value={query.measure}
      onChange={(measure) => onChange({ measure })}
    />
  );
}

/**
 * The fields that become labels: one number, line, or lane for each combination of their values. What needs attention has
 * one field, so that another one takes its place.
 */
export function GroupBySelect({ query, onChange, ...control }: ControlProps) {
  const { dataSet } = control;
  const { format } = query;
  const defaults: Partial<Record<Format, string>> = { timeline: defaultLane, attention: attentionGroups[0] };
  const defaultGroup = format && defaults[format];
  return (
    <MultiSelect
      label={partLabels(format).groupBy}
      problem={labelProblem(query, dataSet, query.groupBy)}
      testId={selectors.query.groupBy}
      placeholder={defaultGroup ? labelOfName(dataSet, defaultGroup) : t('editor.group-by.placeholder', 'No grouping')}
      options={fieldChoices(control, withSaved(groupsFor(dataSet, format), namedFields(dataSet), query.groupBy))}
      value={query.groupBy}
      onChange={(groupBy) => onChange({ groupBy: format === 'attention' ? groupBy.slice(-1) : groupBy })}
    />
  );
}

/** The field whose values name and color the bars of a timeline. */
export function StateSelect({ query, onChange, ...control }: ControlProps) {
  const { dataSet } = control;
  return (
    <Select
      label={partLabels().state}
      problem={query.state && labelProblem(query, dataSet, [query.state])}
      testId={selectors.query.state}
      width={25}
      isClearable={!isOffered(query, 'state')}
      options={fieldChoices(control, withSaved(groupableFields(dataSet), namedFields(dataSet), [query.state]))}
      value={query.state ?? defaultState}
      onChange={(state) => onChange({ state: state === defaultState ? undefined : state })}
    />
  );
}

/** The columns of a table, in the order in which they are selected. */
export function ColumnsSelect({ query, onChange, ...control }: ControlProps) {
  return (
    <MultiSelect
      label={partLabels().columns}
      testId={selectors.query.columns}
      placeholder={t('editor.columns.placeholder', 'All')}
      options={fieldChoices(control, namedFields(control.dataSet), control.seenFields)}
      value={query.columns}
      onChange={(columns) => onChange({ columns })}
    />
  );
}

/** The time field that places a task in the time range. It has no effect on measures of when tasks ran. */
export function TimeFieldSelect(props: ControlProps & { testId?: string }) {
  const { query, dataSet, testId = selectors.query.timeField, onChange } = props;
  const { fields, timeFields = [] } = dataSet;
  const options = fieldChoices(
    props,
    fields.filter(({ name }) => timeFields.includes(name))
  );
  const isUnused = measures(dataSet).find(({ name }) => name === query.measure)?.time === 'runs';
  return (
    <Select
      label={partLabels().timeField}
      description={
        isUnused ? t('editor.time-field.unused', 'No effect: this measure depends on when tasks ran') : undefined
      }
      testId={testId}
      width={25}
      isClearable={!isOffered(query, 'timeField')}
      options={options}
      value={query.timeField ?? timeFields[0]}
      onChange={(value) => onChange({ timeField: value === timeFields[0] ? undefined : value })}
    />
  );
}

export function compareLabels(): Record<Compare, string> {
  return {
    previous: t('editor.compare.previous', 'Previous period'),
    day: t('editor.compare.day', 'Previous day'),
    week: t('editor.compare.week', 'Previous week'),
    month: t('editor.compare.month', 'Previous month'),
    year: t('editor.compare.year', 'Previous year'),
  };
}

/** The earlier period to compare with; none by default. */
export function CompareSelect({ query, datasource, onChange }: ControlProps) {
  return (
    <Select
      label={partLabels().compare}
      testId={selectors.query.compare}
      width={25}
      isClearable
      placeholder={t('editor.compare.nothing', 'None')}
      options={labeledChoices({ datasource }, compareLabels())}
      value={query.compare}
      onChange={(compare) => onChange({ compare: compare as Compare | undefined })}
    />
  );
}

function perLabels(): Record<Per, string> {
  return {
    auto: t('editor.per.auto', 'Auto (interval)'),
    hour: t('editor.per.hour', 'Hour'),
    day: t('editor.per.day', 'Day'),
    week: t('editor.per.week', 'Week'),
    month: t('editor.per.month', 'Month'),
  };
}

/** The period of each point of a line. Automations and runners have totals of whole days, so they offer no hours. */
export function PerSelect({ query, datasource, onChange }: ControlProps) {
  const labels = perLabels();
  return (
    <Select
      label={partLabels().per}
      testId={selectors.query.per}
      width={20}
      isClearable={!isOffered(query, 'per')}
      options={labeledChoices({ datasource }, isLineOfSums(query) ? omit(labels, 'hour') : labels)}
      value={query.per ?? 'auto'}
      onChange={(value) => onChange({ per: value === 'auto' ? undefined : (value as Per) })}
    />
  );
}
