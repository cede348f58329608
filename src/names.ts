import { groupBy, memoize } from 'lodash';

import {
  CoreApp,
  type DataFrame,
  type DataQueryRequest,
  type Field,
  FieldType,
  getFieldDisplayName,
  MappingType,
  type ValueMapping,
} from '@grafana/data';

import { type DataSet, findNamed, getDataSet, measures, namedFields } from '../datasets/datasets';
import { defaultFormat, type InsightsQuery } from './query';
import { excludes, finds, type References, referencesOf, referencesTo } from './references';
import { dataSetLabel, fieldDescription, labelOf, measureDescription, withName } from './texts';

/** Display names of the values of a groupBy field, which the backend sends if the rows have them. */
interface ValueNames {
  field: string;
  names: Record<string, string>;
}

/** A field of a response with the names that it can have. */
interface Candidate {
  field: Field;
  dataSet: DataSet;
  /** The display name without labels: what panels saved before labels existed refer to. */
  plain: string;
  /** The display name if other data sources in the panel have frames with other names. */
  withFrame: string;
  /** The labels: first in the user's language, then in the others. */
  human: string[];
}

type QueryOf = (refId: string | undefined) => InsightsQuery | undefined;

/** Explore saves nothing that refers to names. */
const nothing: References = { list: [], isTransformed: false, passesValues: false, mappings: [] };

/**
 * Gives columns, measures, and automations their labels as display names, in panels and in Explore. The fields keep the
 * API's names. A panel that refers to fields by their display names keeps the names that it was saved with: those of the
 * API, or the labels in the language of the user who saved it.
 */
export function withNames(
  frames: DataFrame[],
  request: Pick<DataQueryRequest, 'app' | 'scopedVars'>,
  queryOf: QueryOf
): DataFrame[] {
  const references = request.app === CoreApp.Explore ? nothing : referencesOf(request);
  const names = references && choose(candidates(frames, references, queryOf), frames, references);
  if (!names) {
    return frames;
  }
  return frames.map((frame) => {
    const query = queryOf(frame.refId);
    // Thousands of series have one measure.
    const descriptionOf = memoize((name: string) => query && describe(name, query));
    const fields = frame.fields.map((field) => {
      const name = names.get(field);
      const called = name === undefined ? field : withLabel(field, name, descriptionOf(field.name));
      return references.passesValues ? called : withTexts(called, valueNames(frame), references.mappings);
    });
    return { ...frame, fields };
  });
}

function candidates(frames: DataFrame[], references: References, queryOf: QueryOf): Candidate[] {
  // getFieldDisplayName caches the name in the state of the field, so it gets copies.
  const copies = frames.map((frame) => ({
    ...frame,
    fields: frame.fields.map((field) => ({ ...field, state: undefined })),
  }));
  const found = copies.flatMap((frame, number) => {
    const query = queryOf(frame.refId);
    return frame.fields.flatMap((copy, index): Candidate[] => {
      const plain = getFieldDisplayName(copy, frame, copies);
      const human = query ? humanNames(copy, plain, frame, query, references) : [];
      const field = frames[number].fields[index];
      const withFrame = `${frame.name ?? ''} ${field.name}`;
      return human.length > 0 ? [{ field, dataSet: getDataSet(query?.queryType), plain, withFrame, human }] : [];
    });
  });
  const numbers = groupBy(
    found.filter(({ field }) => field.type === FieldType.number),
    ({ human }) => human[0]
  );
  return found.flatMap((candidate) => toldApart(candidate, numbers[candidate.human[0]] ?? []));
}

function humanNames(
  field: Field,
  plain: string,
  frame: DataFrame,
  query: InsightsQuery,
  { passesValues }: References
): string[] {
  if (!isSeries(field, query)) {
    return labels(field, plain, getDataSet(query.queryType)).filter((name) => name !== plain);
  }
  return passesValues ? [] : seriesNames(field, plain, query, valueNames(frame)).filter((name) => name !== plain);
}

function isSeries({ labels }: Field, { groupBy = [] }: InsightsQuery): boolean {
  return groupBy.some((name) => labels?.[name] !== undefined);
}

/** The labels of a column or measure. The period that it covers, which the backend appends in brackets, is kept. */
function labels({ name }: Field, plain: string, dataSet: DataSet): string[] {
  const named = findNamed(dataSet, name);
  if (!named) {
    return [];
  }
  const covers = plain.startsWith(`${name} (`) ? plain.slice(name.length) : '';
  return [...new Set([labelOf(named), named.label, ...Object.values(named.labels)])].map((label) => label + covers);
}

/** The name of a series: the values of its labels, joined as in the backend. */
function seriesNames(
  { labels = {} }: Field,
  plain: string,
  { groupBy = [] }: InsightsQuery,
  { field, names }: ValueNames
): string[] {
  const join = (text: (name: string) => string | undefined) =>
    groupBy.map((name) => text(name) || labels[name] || '(none)').join(', ');
  const values = join(() => undefined);
  return plain.startsWith(values)
    ? [join((name) => (name === field ? nameIn(names, labels[name]) : undefined)) + plain.slice(values.length)]
    : [];
}

/** Keys come from the service: one of them may be the name of a property that every object has, such as constructor. */
function nameIn(names: ValueNames['names'], key: string): string | undefined {
  return Object.hasOwn(names, key) ? names[key] : undefined;
}

/**
 * Appends the data set if two data sets have measures with the same label; Grafana would prepend the frame names. It does so
 * if two queries of one data set have the same measure, which then has no other name.
 */
function toldApart(candidate: Candidate, namesakes: Candidate[]): Candidate[] {
  const { field, plain, human, dataSet } = candidate;
  const others = field.type === FieldType.number ? namesakes.filter((other) => other.plain !== plain) : [];
  if (others.some((other) => other.dataSet === dataSet)) {
    return [];
  }
  return others.length > 0
    ? [{ ...candidate, human: human.map((name) => `${name} · ${dataSetLabel(dataSet)}`) }]
    : [candidate];
}

/** The new display names; undefined if the panel was saved with the old ones. */
function choose(fields: Candidate[], frames: DataFrame[], references: References): Map<Field, string> | undefined {
  const { list, isTransformed } = references;
  const keys = frames.flatMap((frame) => Object.keys(valueNames(frame).names));
  if (list.some(excludes) || list.some(({ text }) => keys.includes(text))) {
    return undefined;
  }
  const names = new Map(fields.map(({ field, human }) => [field, human[0]]));
  // An expression that matches names of the API must not match further fields by their labels.
  const old = new Set(list.filter((reference) => fields.some(({ plain }) => finds(reference, plain))));
  let isKnown = false;
  for (const { field, plain, withFrame, human } of fields) {
    for (const reference of referencesTo(references, field)) {
      const found = human.find((name) => finds(reference, name));
      if (reference.text === withFrame) {
        return undefined;
      }
      if (finds(reference, plain)) {
        if (found !== human[0]) {
          return undefined;
        }
      } else if (found !== undefined) {
        if (old.has(reference)) {
          return undefined;
        }
        names.set(field, found);
        isKnown = true;
      }
    }
  }
  return isTransformed && !isKnown ? undefined : names;
}

function withLabel(field: Field, name: string, description = field.config.description): Field {
  const config = { ...field.config, displayNameFromDS: name, description };
  return { ...field, config, state: undefined };
}

function describe(name: string, { queryType, format = defaultFormat }: InsightsQuery): string | undefined {
  const dataSet = getDataSet(queryType);
  const isName = (named: { name: string }) => named.name === name;
  const measure = format === defaultFormat ? undefined : measures(dataSet).find(isName);
  if (measure) {
    return withName(measure, measureDescription(dataSet, measure));
  }
  const column = namedFields(dataSet).find(isName);
  return column && withName(column, fieldDescription(dataSet, column));
}

/** Maps values in rows to their display names, after the panel's own mappings. The values themselves don't change. */
function withTexts(field: Field, { field: name, names }: ValueNames, own: ValueMapping[]): Field {
  if (field.name !== name || field.labels) {
    return field;
  }
  const options = Object.fromEntries(Object.entries(names).map(([key, text], index) => [key, { text, index }]));
  const mappings = [...(field.config.mappings ?? []), ...own, { type: MappingType.ValueToText as const, options }];
  return { ...field, config: { ...field.config, mappings } };
}

function valueNames({ meta }: DataFrame): ValueNames {
  return meta?.custom?.valueNames ?? { field: '', names: {} };
}
