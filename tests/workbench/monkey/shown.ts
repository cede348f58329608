import { type Reason, reasons, sensitivities, usualSensitivity } from '../../../schema/attention';
import { type DataSet, getDataSet, measures, namedFields } from '../../../schema/datasets';
import { dashed, type SettingName, settings } from '../../../schema/settings';
import { type Attention, type Filter, type InsightsQuery } from '../../../src/query/query';
import { shownFilter, shownQuery } from '../../../src/query/shown';
import { selectors } from '../../../src/selectors';
import type { TabName } from '../../../workbench/page/link';
import { compareTexts, formatTexts, perTexts } from './texts';
import type { Control, Survey } from './survey';

type Saved = Record<string, unknown>;

/** What the controls must show: for each, one of several texts; for tags, one of several for each. */
interface Expected {
  /** The control has one of these IDs: each editor has its own. */
  ids: string[];
  /** Property of what is saved, for messages. */
  part: string;
  isSaved: boolean;
  texts: string[][];
}

/**
 * Compares what the controls show with what is saved, and finds what is saved but not visible anywhere. Leaves out the
 * controls that hold text which is not saved yet. Returns what is wrong, as sentences.
 */
export function wrongIn(
  { saved = {}, controls, text }: Survey,
  tab: TabName,
  isDraft: (id: string) => boolean
): string[] {
  const isSettings = tab === 'Configure';
  const expected = isSettings ? ofSettings(saved) : ofQuery(saved, tab);
  const wrong = expected.flatMap(({ ids, part, isSaved, texts }) => {
    const control = controls.find(({ id }) => ids.includes(id));
    if (control) {
      const isRight =
        isDraft(control.id) || control.isOpen || (control.invalid && control.kind === 'text') || shows(control, texts);
      return isRight
        ? []
        : [`${control.id} shows ${JSON.stringify(control.shown)}, but ${part} is ${JSON.stringify(texts)}`];
    }
    const isVisible = !isSaved || isSettings || texts.every((each) => each.some((one) => text.includes(one?.trim())));
    return isVisible ? [] : [`${part} is saved, but not visible: ${JSON.stringify(texts)}`];
  });
  return isSettings ? wrong : [...wrong, ...wrongFilters(saved, controls, isDraft)];
}

function shows({ shown, hidden, kind }: Control, texts: string[][]): boolean {
  if (kind === 'lists') {
    return shown.length + hidden === texts.length && shown.every((tag, index) => texts[index].includes(tag));
  }
  return (texts[0] ?? ['']).includes(shown[0] ?? '');
}

function labels(dataSet: DataSet, name: string): string[] {
  const named = [...namedFields(dataSet), ...measures(dataSet)].filter((candidate) => candidate.name === name);
  return [...named.map(({ label }) => label), name];
}

function ofQuery(saved: Saved, tab: TabName): Expected[] {
  const query = shownQuery(saved as unknown as InsightsQuery & { field?: string });
  const dataSet = getDataSet(query.queryType);
  const { query: ids } = selectors;
  const { sort, attention } = query as InsightsQuery;
  const named = (value: string) => labels(dataSet, value);
  const one = (
    part: keyof typeof query,
    own: string[],
    textsOf = (value: string) => [value],
    fallback = ''
  ): Expected => {
    const value = query[part] as string | undefined;
    return {
      ids: own,
      part,
      isSaved: value !== undefined,
      texts: [value === undefined ? [fallback] : textsOf(`${value}`)],
    };
  };
  const list = (part: 'columns' | 'groupBy'): Expected => {
    const values = query[part] ?? [];
    return { ids: [ids[part]], part, isSaved: values.length > 0, texts: values.map(named) };
  };
  const textOfSet = (name: string) => [name === dataSet.name ? dataSet.label : name];
  const firstTime = dataSet.timeFields ? named(dataSet.timeFields[0])[0] : '';
  return [
    // The data set of annotations is fixed.
    ...(tab === 'Annotation' ? [] : [one('queryType', [ids.dataSet], textOfSet, 'Tasks')]),
    one('format', [ids.format], (format) => [formatTexts[format], format], formatTexts.table),
    ...[one('measure', [ids.measure], named), list('columns'), list('groupBy')],
    one('state', [ids.state], named, named('activityLabel')[0]),
    one('compare', [ids.compare], (compare) => [compareTexts[compare], compare]),
    one('per', [ids.per], (per) => [perTexts[per], per], perTexts.auto),
    ...[one('days', [ids.days]), one('search', [ids.search])],
    ...[one('limit', [ids.limit]), one('timezone', ['insights-query-timezone'])],
    one('timeField', [ids.timeField], named, firstTime),
    one('field', [ids.field], named, named(dataSet.searchField)[0]),
    { ids: [ids.sort], part: 'sort', isSaved: Boolean(sort), texts: [sort ? named(sort.field) : ['']] },
    ...ofAttention(attention),
  ];
}

function ofAttention(attention: Attention = {}): Expected[] {
  const { sensitivity = usualSensitivity, ignore = [] } = attention;
  const isVariable = (name = '') => String(attention[name]).includes('$');
  const isZero = (name = '') => String(attention[name]) === '0';
  const on = reasons.filter(({ name }) => !isZero(name));
  const level = sensitivities.find(({ name }) => name === sensitivity)?.label ?? sensitivity;
  // The label of a reason has the variable that can switch it off.
  const labelOf = ({ name, label }: Reason) => (isVariable(name) ? `${label} (${attention[name]})` : label);
  const { query: ids } = selectors;
  const expected = (ids: string[], part: string, isSaved: boolean, texts: string[]) => ({
    ...{ ids, part: `attention: ${part}`, isSaved },
    texts: texts.map((text) => [text]),
  });
  return [
    expected([ids.sensitivity], 'sensitivity', 'sensitivity' in attention, [level]),
    expected(
      [ids.reasons],
      'reasons',
      on.length < reasons.length || on.some(({ name }) => isVariable(name)),
      on.map(labelOf)
    ),
    expected([ids.ignore], 'ignore', ignore.length > 0, ignore),
  ];
}

/** A row of the filters, as it is shown. */
interface Row {
  index: number;
  field: string;
  operator: string;
  value: Control | undefined;
}

function rowsIn(controls: Control[]): Row[] {
  const control = (id: string) => controls.find((candidate) => candidate.id === id);
  const { filterField, filterOperator, filterValue } = selectors.query;
  const indexes = Array.from({ length: 20 }, (_, index) => index).filter((index) => control(filterField(index)));
  return indexes.map((index) => ({
    index,
    field: control(filterField(index))?.shown[0] ?? '',
    operator: control(filterOperator(index))?.shown[0] ?? '',
    value: control(filterValue(index)),
  }));
}

/** The saved filters must be among the rows, in their order; a row that is no filter must lack a field or a value. */
function wrongFilters(saved: Saved, controls: Control[], isDraft: (id: string) => boolean): string[] {
  const query = shownQuery(saved as unknown as InsightsQuery);
  const isBusy = ({ id, isOpen }: Control) => id.startsWith('insights-query-filter') && (isOpen || isDraft(id));
  if (controls.some(isBusy)) {
    return [];
  }
  const dataSet = getDataSet(query.queryType);
  const left = (query.filters ?? []).map(shownFilter);
  const unmatched = rowsIn(controls).filter((row) => {
    const isFirst = left.length > 0 && isRowOf(row, left[0], dataSet);
    return isFirst ? !left.shift() : row.field && row.operator && (row.value?.shown.join('') || row.value?.hidden);
  });
  const shown = unmatched.map(({ field, operator, value }) => `${field} ${operator} ${value?.shown}`);
  return [
    ...left.map((filter) => `filters: ${JSON.stringify(filter)} is saved, but not shown`),
    ...shown.map((row) => `filters: ${row} is shown, but not saved`),
  ];
}

function isRowOf({ field, operator, value }: Row, filter: Filter, dataSet: DataSet): boolean {
  const operands = filter.values ?? (filter.value === undefined ? [] : [filter.value]);
  const isValue = (text: string, index: number) => text === (operands[index] || '(no value)');
  const shown = value?.kind === 'lists' || value?.shown[0] !== '' ? (value?.shown ?? []) : [];
  return (
    (filter.key ? labels(dataSet, filter.key) : ['']).includes(field) &&
    (operator.startsWith(`${filter.operator} `) || operator === filter.operator) &&
    shown.length + (value?.hidden ?? 0) === operands.length &&
    shown.every(isValue)
  );
}

function ofSettings({ url, jsonData = {} }: { url?: string; jsonData?: Saved }): Expected[] {
  const texts = (name: SettingName): string[] => {
    const { type, values, valueLabels, default: fallback } = settings[name];
    const value = jsonData[name];
    if (type === 'boolean') {
      // As the backend reads it: an empty text is the default.
      return [String(value === '' || value == null ? fallback : value)];
    }
    if (values) {
      const chosen = String(value ?? fallback);
      return [valueLabels?.[chosen] ?? chosen];
    }
    return value === undefined ? [''] : typeof value === 'object' ? [JSON.stringify(value), ''] : [String(value)];
  };
  const named = (Object.keys(settings) as SettingName[]).filter(
    (name) => 'section' in settings[name] || name === 'login'
  );
  return [
    { ids: [selectors.config.url], part: 'url', isSaved: Boolean(url), texts: [[String(url)]] },
    ...named.map((name) => ({
      ...{ ids: [`insights-config-${dashed(name)}`], part: name, isSaved: name in jsonData },
      texts: [texts(name)],
    })),
    {
      ...{ ids: [selectors.config.headerName(1)], part: 'httpHeaderName1', isSaved: 'httpHeaderName1' in jsonData },
      texts: [[String(jsonData.httpHeaderName1)]],
    },
  ];
}
