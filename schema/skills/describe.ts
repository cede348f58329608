import { partition } from 'lodash';

import { type Part, partNames } from '../../src/query/parts';
import { aspects, attentionGroups, comparisons, type Format, operators, units } from '../../src/query/query';
import { reasons, sensitivities } from '../attention';
import {
  comparableMeasures,
  type DataSet,
  dataSets,
  drawnMeasures,
  groupableFields,
  measures,
  namedFields,
} from '../datasets';
import { described, type Setting } from '../settings';
import descriptions from './descriptions.json';

// Settings and queries in JSON Schema (draft 4), as Grafana's API server and tools read them from the folder schema/ of a plugin:
// v0alpha1.json is a PluginSchema of the SDK's experimental/pluginschema, dsconfig.json is what github.com/grafana/dsconfig describes.

type Parts = { items?: JsonSchema; anyOf?: JsonSchema[]; properties?: Record<string, JsonSchema> };
type Values = { type?: string; enum?: readonly unknown[]; minimum?: number; maximum?: number; description?: string };
/** A part of JSON Schema, draft 4, of which only what is read here has a type. */
export type JsonSchema = Parts & Values & { [more: string]: unknown };

/** What a format shows, and when to use it. */
export const formats: Record<Format, string> = descriptions.formats;
/** What a property of a saved query does. */
const meanings: Record<Part, string> = descriptions.parts;
/** The settings that are no single value. */
const shapes: Record<string, JsonSchema> = descriptions.settings;

const text: JsonSchema = { type: 'string' };
const whole = (maximum: number): JsonSchema => ({ type: 'integer', minimum: 1, maximum });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const object = (properties: Record<string, JsonSchema>, required?: string[]): JsonSchema => ({
  ...{ type: 'object', properties, additionalProperties: false },
  ...(required && { required }),
});

/** One of some texts or, in a dashboard, a variable. */
const oneOf = (values: readonly string[]) => ({ ...text, anyOf: [{ enum: values }, { pattern: '\\$|\\[\\[' }] });

const namesOf = (named: Array<{ name: string }>) => named.map(({ name }) => name);
/** The aspects of measures that a comparison has, and those that a sum of whole days has without one. */
function aspectsOf(dataSet: DataSet): { compared: string[]; margins: string[] } {
  const all = namesOf(comparableMeasures(dataSet)).flatMap((name) => aspects.map((aspect) => `${name}.${aspect}`));
  const [margins, compared] = partition(all, (name) => name.endsWith('.margin'));
  return { compared, margins: dataSet.timeFields ? [] : margins };
}

/** The properties of a saved query of a data set; undefined: it has no such property. */
function propertiesOf(dataSet: DataSet): Record<Part, JsonSchema | undefined> {
  const [labels, figures] = [namesOf(groupableFields(dataSet)), namesOf(measures(dataSet))];
  const fields = namesOf(namedFields(dataSet));
  const numbers = [...figures, ...Object.values(aspectsOf(dataSet)).flat()];
  const ofTasks = (schema: JsonSchema) => (dataSet.timeFields ? schema : undefined);
  const values = { value: text, values: list(text) };
  const off = Object.fromEntries(reasons.map(({ name }) => [name, { enum: [0] }]));
  return {
    queryType: { enum: [dataSet.name] },
    format: oneOf(formatsOf(dataSet)),
    columns: { ...list(oneOf(fields)), uniqueItems: true },
    measure: oneOf(numbers),
    measures: { ...list(oneOf(numbers)), uniqueItems: true },
    groupBy: { ...list(oneOf(labels)), uniqueItems: true },
    state: ofTasks(oneOf(labels)),
    per: oneOf(units),
    filters: list(object({ key: oneOf(fields), operator: oneOf(operators), ...values }, ['key', 'operator'])),
    compare: oneOf(comparisons.filter((each) => dataSet.timeFields || each !== 'hour')),
    days: whole(100_000),
    search: text,
    sort: object({ field: oneOf([...new Set([...fields, ...numbers])]), order: oneOf(['asc', 'desc']) }, ['field']),
    limit: whole(2 ** 31 - 1),
    total: { type: 'boolean' },
    timeField: ofTasks(oneOf(dataSet.timeFields ?? [])),
    timezone: text,
    attention: ofTasks(
      object({ sensitivity: oneOf(namesOf(sensitivities)), ignore: list(text), all: { type: 'boolean' }, ...off })
    ),
  };
}

const formatsOf = ({ timeFields }: DataSet) => (Object.keys(formats) as Format[]).slice(0, timeFields ? undefined : 3);

const without = (property: string): JsonSchema => ({ not: { required: [property] } });

/** What of a query is an error together. A format that is absent is a table. */
function rulesOf(dataSet: DataSet): JsonSchema[] {
  const can = (...some: Format[]): JsonSchema => ({ properties: { format: { enum: some } } });
  const isNone = (...no: Format[]) => can(...formatsOf(dataSet).filter((one) => !no.includes(one)));
  const is = (...some: Format[]): JsonSchema => ({ required: ['format'], ...can(...some) });
  const about = (names: string[]) => ({ properties: { measure: oneOf(names), measures: list(oneOf(names)) } });
  const { compared, margins } = aspectsOf(dataSet);
  const comparable = [...namesOf(comparableMeasures(dataSet)), ...compared, ...margins];
  const judged = [...attentionGroups, ...namesOf(namedFields(dataSet).filter(({ workspace }) => workspace)), 'team'];
  return [
    { anyOf: [isNone('numeric', 'timeseries'), { required: ['measure'] }, { required: ['measures'] }] },
    { anyOf: [without('per'), { properties: { per: { enum: ['auto'] } } }, is('timeseries')] },
    { anyOf: [without('compare'), is('numeric', 'timeseries')] },
    { anyOf: [without('compare'), { properties: { measure: oneOf(comparable) } }] },
    {
      anyOf: [
        about([...namesOf(measures(dataSet)), ...margins]),
        { allOf: [{ required: ['compare'] }, is('numeric')] },
      ],
    },
    { anyOf: [isNone('timeseries'), about(namesOf(drawnMeasures(dataSet)))] },
    { anyOf: [without('sort'), isNone('timeline')] },
    { anyOf: [isNone('attention'), { properties: { groupBy: list(oneOf(judged)) } }] },
  ];
}

/** What a saved query of a data set can be. Grafana's own properties, such as refId and datasource, are not described. */
export function querySchema(dataSet: DataSet): JsonSchema {
  const values = propertiesOf(dataSet);
  const known = partNames.filter((part) => values[part]);
  const properties = known.map((part) => [part, { description: meanings[part], ...values[part] }]);
  const query = object(Object.fromEntries(properties), dataSet === dataSets[0] ? undefined : ['queryType']);
  return { $schema: 'https://json-schema.org/draft-04/schema', ...query, allOf: rulesOf(dataSet) };
}

const settingsIn = (place: string) => Object.entries<Setting>(described).filter(([, setting]) => setting.in === place);

/** The settings of a place: the level of the URL, or jsonData. */
export function settingsSchema(place: string, more: Record<string, JsonSchema> = {}): JsonSchema {
  const properties = settingsIn(place).map(([name, { type, description, default: initial, values, min, max }]) => [
    name,
    { type, description, default: initial, enum: values, minimum: min, maximum: max, ...shapes[name] },
  ]);
  const required = settingsIn(place).flatMap(([name, setting]) => (setting.required ? [name] : []));
  return { ...object({ ...Object.fromEntries(properties), ...more }), required, additionalProperties: undefined };
}

const valuesIn = (place: string) => Object.fromEntries(settingsIn(place).map(([name, { example }]) => [name, example]));

/** Settings and queries, as the SDK's PluginSchema. */
export const pluginSchema = (examples: Array<{ name: string; query: Record<string, unknown> }>) => ({
  targetApiVersion: 'v0alpha1',
  settings: {
    spec: settingsSchema('root', { jsonData: settingsSchema('jsonData') }),
    secureValues: settingsIn('secureJsonData').map(([key, { description }]) => ({ key, description, required: true })),
  },
  settingsExamples: {
    examples: { all: { summary: 'Every setting', value: { ...valuesIn('root'), jsonData: valuesIn('jsonData') } } },
  },
  queryTypes: {
    kind: 'QueryTypeDefinitionList',
    apiVersion: 'datasource.grafana.app/v0alpha1',
    metadata: {},
    items: dataSets.map((dataSet) => {
      const discriminators = [{ field: 'queryType', value: dataSet.name }];
      const spec = { description: dataSet.description, discriminators, schema: querySchema(dataSet) };
      return { metadata: { name: dataSet.name }, spec };
    }),
  },
  queryExamples: {
    examples: examples.map(({ name, query }) => ({ name, queryType: query.queryType, saveModel: query })),
  },
});

/** Settings as the declaration of github.com/grafana/dsconfig. */
export const dsconfig = ({ id, name }: { id: string; name: string }) => ({
  $schema: 'https://github.com/grafana/ds/blob/main/dsconfig/schema.json',
  schemaVersion: 'v1',
  pluginType: id,
  pluginName: name,
  fields: Object.entries<Setting>(described).map(([key, setting]) => {
    const { in: target, type, label, description, required, default: defaultValue, min, max, values } = setting;
    const valueType = type === 'integer' ? 'number' : type;
    const validations = values ? [{ type: 'allowedValues', values }] : max && [{ type: 'range', min, max }];
    const item = type === 'array' ? { valueType: 'object' } : undefined;
    const shown = { id: `${target}.${key}`, key, label, description, required, defaultValue };
    return { ...shown, valueType, item, target, validations };
  }),
});
