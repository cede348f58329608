import { isEqual, omit, pick, unionBy, uniq } from 'lodash';
import React, { type ComponentType, useCallback } from 'react';

import { t } from '@grafana/i18n';
import { type ComboboxOption } from '@grafana/ui';

import { attentionDays } from '../../schema/attention';
import {
  type DataSet,
  type DataSetName,
  dataSets,
  getDataSet,
  groupableFields,
  isOfWorkspace,
  measures,
  type Named,
  namedFields,
  teamField,
} from '../../schema/datasets';
import { Choice, Toggle } from '../controls/Labeled';
import { MultiSelect, Select } from '../controls/lists';
import { NumberInput, TextInput } from '../controls/texts';
import { aspectsOf, comparisonsFor, groupNames, groupsFor, isLineOfSums, isOffered, measuresFor } from '../query/fit';
import { type Part } from '../query/parts';
import {
  asMeasures,
  attentionGroups,
  defaultFormat,
  defaultLane,
  defaultState,
  type Format,
  type InsightsQuery,
  isEmpty,
  measuresOf,
  showsMeasure,
  splitMeasure,
  textOf,
} from '../query/query';
import { selectors } from '../selectors';
import { suggestOptions } from '../source/suggestions';
import { formatLabel, labelOf, labelOfName, labelOfNumber } from '../query/texts';
import { AttentionInputs } from './attention';
import { type ControlProps, describedOptions, fieldOptions, labeledOptions, variableOptions } from './control';
import { compareLabels, orderLabels, partLabels, perLabels } from './labels';

/** How the control of a part is called, by people and by tests. */
function called(part: Exclude<Part, 'queryType' | 'attention' | 'filters'>, format?: Format) {
  return { label: partLabels(format)[part], testId: selectors.query[part] };
}

interface ChoiceProps<T> {
  /** As saved, so that an unknown value is visible. */
  value: T | undefined;
  onChange: (value: T) => void;
}

export function DataSetChoice({ value = dataSets[0].name, onChange }: ChoiceProps<DataSetName>) {
  const options = dataSets.map((dataSet) => ({ value: dataSet.name, label: labelOf(dataSet) }));
  const { dataSet: testId } = selectors.query;
  return <Choice label={partLabels().queryType} testId={testId} {...{ options, value, onChange }} />;
}

export function FormatChoice({
  offered,
  value = defaultFormat,
  onChange,
}: ChoiceProps<Format> & { offered: Format[] }) {
  const options = offered.map((format) => ({ value: format, label: formatLabel(format) }));
  return <Choice {...called('format')} {...{ options, value, onChange }} />;
}

/** What is offered and, so that it is shown by its label, what is saved although it isn't. */
function withSaved(offered: Named[], all: Named[], saved: Array<string | undefined> = []): ComboboxOption[] {
  const shown = all.filter(({ name }) => saved.includes(name));
  return describedOptions(unionBy(offered, shown, 'name'));
}

/** What a list with one value offers besides variables. */
interface Offer {
  options: ComboboxOption[];
  width: number;
  /** What an absent part means: it is shown, and never saved. */
  standard?: string;
  isClearable?: boolean;
  placeholder?: string;
  description?: string;
}

function listOf(part: 'state' | 'timeField' | 'compare' | 'per', offer: (control: ControlProps) => Offer) {
  return function PartSelect(control: ControlProps) {
    const { query, onChange } = control;
    const { options, standard, ...rest } = offer(control);
    return (
      <Select
        {...called(part)}
        isClearable={!isOffered(query, part)}
        {...rest}
        options={[...options, ...variableOptions(control)]}
        value={query[part] ?? standard}
        onChange={(value) => onChange({ [part]: value === standard ? undefined : value })}
      />
    );
  };
}

function measureOptions({ query, dataSet }: ControlProps, saved: string[]): ComboboxOption[] {
  return withSaved(measuresFor(dataSet, query.format), measures(dataSet), saved);
}

/** The first measure, which groups are ordered by unless the query sorts them. */
function FirstMeasure(control: ControlProps) {
  const { query, onChange } = control;
  const [first, ...others] = measuresOf(query);
  return (
    <Select
      {...called('measure')}
      isClearable={!isOffered(query, 'measure')}
      width={35}
      options={[...measureOptions(control, [first]), ...variableOptions(control)]}
      value={first}
      onChange={(name) => onChange(asMeasures(uniq([name, ...others]).filter((each) => !isEmpty(each)) as string[]))}
    />
  );
}

/** Further measures of the same groups and, of a comparison, what it says of the selected ones. */
function MoreMeasures(control: ControlProps) {
  const { query, dataSet, onChange } = control;
  const [first, ...others] = measuresOf(query);
  const selected = uniq(measuresOf(query).map((name) => splitMeasure(name).measure));
  const names = selected.flatMap((measure) => aspectsOf(query, measure).map((aspect) => `${measure}.${aspect}`));
  return (
    <MultiSelect
      {...called('measures')}
      placeholder={t('editor.measures.placeholder', 'None')}
      options={[
        ...names.map((value) => ({ value, label: labelOfNumber(dataSet, value) })),
        ...measureOptions(control, others).filter(({ value }) => value !== first),
        ...variableOptions(control),
      ]}
      value={others}
      onChange={(more) => onChange(asMeasures(first ? [first, ...more] : more))}
    />
  );
}

// What needs attention has one field besides those of the workspace, so that another one takes its place. A team is of an
// automation.
function aboutOne(dataSet: DataSet, fields: string[]): string[] {
  const last = fields.filter((name) => name !== teamField && !isOfWorkspace(dataSet, name)).at(-1);
  const [automation] = attentionGroups;
  const hasTeam = fields.includes(teamField) && (last ?? automation) === automation;
  const all = hasTeam && !last ? [automation, ...fields] : fields;
  return all.filter(
    (name) => isOfWorkspace(dataSet, name) || (name === teamField ? hasTeam : name === (last ?? automation))
  );
}

/** The fields that become labels: one number, line, or lane for each combination of their values. */
function GroupBy({ query, onChange, ...control }: ControlProps) {
  const { dataSet } = control;
  const { format = defaultFormat, groupBy } = query;
  const standard = { timeline: defaultLane, attention: attentionGroups[0] }[format as string];
  return (
    <MultiSelect
      {...called('groupBy', format)}
      placeholder={standard ? labelOfName(dataSet, standard) : t('editor.group-by.placeholder', 'No grouping')}
      options={[...withSaved(groupsFor(dataSet, format), namedFields(dataSet), groupBy), ...variableOptions(control)]}
      value={groupBy}
      onChange={(fields) => onChange({ groupBy: format === 'attention' ? aboutOne(dataSet, fields) : fields })}
    />
  );
}

function Columns({ query, onChange, ...control }: ControlProps) {
  return (
    <MultiSelect
      {...called('columns')}
      placeholder={t('editor.columns.placeholder', 'All')}
      options={fieldOptions(control)}
      value={query.columns}
      onChange={(columns) => onChange({ columns })}
    />
  );
}

/** The automation to search for, or what the data set is searched by instead. */
function Search({ query, dataSet, datasource, days, onChange }: ControlProps) {
  const findsAutomations = dataSet.searchField === dataSet.automationField;
  const source = findsAutomations ? getDataSet('automations') : dataSet;
  const load = useCallback(
    (search: string) => suggestOptions(datasource, source, source.searchField, { days, search: search || undefined }),
    [datasource, source, days]
  );
  return (
    <Select
      {...called('search')}
      width={30}
      value={query.search}
      placeholder={
        findsAutomations ? t('editor.search.automation', 'Automation label') : labelOfName(dataSet, dataSet.searchField)
      }
      load={load}
      onChange={(search) => onChange({ search })}
    />
  );
}

function SortBy({ query, onChange, ...control }: ControlProps) {
  const { dataSet } = control;
  const { format = defaultFormat, sort } = query;
  const isTable = format === defaultFormat;
  const groups = groupNames(query).map((name) => ({ value: name, label: labelOfNumber(dataSet, name) }));
  const order = sort?.order ?? (isTable ? 'asc' : 'desc');
  return (
    <>
      <Select
        {...called('sort')}
        width={25}
        isClearable
        placeholder={isTable ? rowOrder(control) : t('editor.sort.largest', 'Largest first')}
        options={isTable ? fieldOptions(control) : [...groups, ...variableOptions(control)]}
        value={sort?.field}
        onChange={(field) => onChange({ sort: field ? { field, order } : undefined })}
      />
      {sort && (
        <Choice
          label={t('editor.order.label', 'Order')}
          testId={selectors.query.order}
          value={order}
          options={(['asc', 'desc'] as const).map((value) => ({ value, label: orderLabels()[value] }))}
          onChange={(selected) => onChange({ sort: { ...sort, order: selected } })}
        />
      )}
    </>
  );
}

function rowOrder({ dataSet }: Pick<ControlProps, 'dataSet'>): string {
  const { defaultSort } = dataSet;
  return defaultSort
    ? `${labelOfName(dataSet, defaultSort.field)} (${orderLabels()[defaultSort.order]})`
    : t('editor.sort.none', 'Unsorted');
}

function numberOf(part: 'days' | 'limit', placeholder: (query: InsightsQuery) => string) {
  return function PartInput({ query, onChange }: ControlProps) {
    return (
      <NumberInput
        {...called(part, query.format)}
        value={query[part]}
        placeholder={placeholder(query)}
        bounds={{ min: 1 }}
        onChange={(value) => onChange({ [part]: value })}
      />
    );
  };
}

/** The controls of the parts of a query that any editor can show. */
export const controls: Record<Exclude<Part, 'queryType' | 'format' | 'filters'>, ComponentType<ControlProps>> = {
  columns: Columns,
  measure: FirstMeasure,
  measures: MoreMeasures,
  groupBy: GroupBy,
  // The field whose values name and color the bars of a timeline.
  state: listOf('state', ({ query, dataSet }) => ({
    width: 25,
    standard: defaultState,
    options: withSaved(groupableFields(dataSet), namedFields(dataSet), [query.state]),
  })),
  // Automations and runners have totals of whole days, so they offer no hours.
  per: listOf('per', ({ query }) => ({
    width: 20,
    standard: 'auto',
    options: labeledOptions(isLineOfSums(query) ? omit(perLabels(), 'hour') : perLabels()),
  })),
  compare: listOf('compare', ({ query }) => ({
    width: 25,
    isClearable: true,
    placeholder: t('editor.compare.nothing', 'None'),
    options: labeledOptions(pick(compareLabels(), comparisonsFor(query))),
  })),
  days: numberOf('days', ({ format }) =>
    format === 'attention' || format === 'deadlines'
      ? String(attentionDays)
      : t('editor.days.placeholder', 'Use time range')
  ),
  search: Search,
  sort: SortBy,
  total: ({ query, onChange }) => (
    <Toggle
      {...called('total')}
      value={textOf(query.total) === 'true'}
      onChange={(total) => onChange({ total: total || undefined })}
    />
  ),
  limit: numberOf('limit', ({ format, sort }) =>
    showsMeasure(format) && !sort ? t('editor.limit.largest', 'All, or the largest N') : t('editor.limit.all', 'All')
  ),
  timeField: listOf('timeField', ({ query, dataSet: { fields, timeFields = [], ...dataSet } }) => ({
    width: 25,
    standard: timeFields[0],
    description:
      dataSet.measures?.find(({ name }) => isEqual([name], measuresOf(query)))?.time === 'runs'
        ? t('editor.time-field.unused', 'No effect: this measure depends on when tasks ran')
        : undefined,
    options: describedOptions(fields.filter(({ name }) => timeFields.includes(name))),
  })),
  // It is saved by hand, so its control is a way to see and remove it.
  timezone: ({ query, onChange }) => (
    <TextInput {...called('timezone')} value={query.timezone} onChange={(timezone) => onChange({ timezone })} />
  ),
  attention: AttentionInputs,
};

interface Props extends ControlProps {
  parts: Array<keyof typeof controls>;
  shows?: (part: Part) => boolean;
}

/** The controls of those of these parts that are shown. */
export function Parts({ parts, shows = () => true, ...control }: Props) {
  return parts.filter(shows).map((part) => {
    const Control = controls[part];
    return <Control key={part} {...control} />;
  });
}
