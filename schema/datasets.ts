import description from './datasets.json';

/** The data sets of the service. */
export type DataSetName = 'tasks' | 'automations' | 'runners';

/** A name in the API with what users see instead, in English. */
export interface Named {
  name: string;
  label: string;
  description: string;
}

/** A column of a data set. */
export interface Field extends Named {
  type: 'integer' | 'number' | 'string' | 'time';
  /** Has few distinct values, so it can be a label of a number or a line. */
  groupable?: boolean;
  /** Says whose rows they are: all rows of a data source have the same value. */
  workspace?: boolean;
  /** The service itself can sort by it. */
  serviceSort?: boolean;
  /** How grouped rows are combined. Only fields with this property are measures. */
  aggregate?: 'sum' | 'mean' | 'return';
  /** Adds up over time, as counts and money do: the difference of two totals up to now is what happened in between. */
  additive?: boolean;
  unit?: string;
  decimals?: number;
  /** A rate in the service's own scale. */
  rate?: boolean;
  /** An amount in the workspace's currency. */
  money?: boolean;
  /** A text that the service can also send as a number. */
  acceptsNumber?: boolean;
  /** Grafana's color names by value. */
  colors?: Record<string, string>;
}

/** A number computed from the rows of a data set. */
export interface Measure extends Named {
  unit?: string;
  decimals?: number;
  /** The value of a group or a bucket without rows. */
  empty?: 'zero' | 'null';
  /** What it refers to other than the time field of its rows: tasks as they are now, or when they ran or waited. */
  time?: 'now' | 'runs';
}

/** A data set of the service, as described in datasets.json. */
export interface DataSet extends Named {
  name: DataSetName;
  /** The route, and the names of its parameters. */
  path: string;
  parameters: { days: string };
  /** The setting with the path of its route; only if the specification doesn't show it. */
  pathSetting?: string;
  /** The field that identifies a row. */
  key: string;
  /** The field in which `search` looks. */
  searchField: string;
  fields: Field[];
  /** Fields that the plugin derives from the others: a table contains them only if it names them. */
  derived?: Field[];
  /** The field with the label of an automation. */
  automationField?: string;
  /** The field that counts the tasks of a row; only if rows are not tasks. */
  countField?: string;
  /** Fields that a line or a time range can follow, the default one first; only if the rows are events. */
  timeFields?: string[];
  /** Display name of a row, in addition to its key. */
  nameField?: string;
  defaultSort?: { field: string; order: 'asc' | 'desc' };
  measures?: Measure[];
}

/** All data sets, in the order in which they are offered. */
export const dataSets = description.dataSets as DataSet[];

/** The data set with this name, or undefined. */
export function findDataSet(name: string | undefined): DataSet | undefined {
  return dataSets.find((dataSet) => dataSet.name === name);
}

/** The data set with this name; tasks if the name is absent or unknown. */
export function getDataSet(name?: string): DataSet {
  return findDataSet(name) ?? dataSets[0];
}

/** All field names of a data set, in the specification's order. */
export function fieldNames(dataSet: DataSet): string[] {
  return dataSet.fields.map((field) => field.name);
}

/** Fields for columns, filters, and sort: first the service's, then the derived fields. */
export function namedFields(dataSet: DataSet): Field[] {
  return [...dataSet.fields, ...(dataSet.derived ?? [])];
}

/** The derived field whose values are in the settings. It follows from the automation. */
export const teamField = 'team';

/** Fields that can be labels. */
export function groupableFields(dataSet: DataSet): Field[] {
  return namedFields(dataSet).filter((field) => field.groupable);
}

/** Whether all rows of a data source have the same value of a field: whose rows they are. */
export function isOfWorkspace(dataSet: DataSet, name: string): boolean {
  return namedFields(dataSet).some((field) => field.name === name && field.workspace);
}

/** Measures of a data set: as listed, or otherwise its number fields that can be combined over rows. */
export function measures(dataSet: DataSet): Measure[] {
  if (dataSet.measures) {
    return dataSet.measures;
  }
  return dataSet.fields
    .filter((field) => field.aggregate)
    .map(({ name, label, description, unit, decimals }) => ({ name, label, description, unit, decimals }));
}

/** Finds a field or measure of a data set by its name in the API. */
export function findNamed(dataSet: DataSet, name: string): Field | Measure | undefined {
  return [...namedFields(dataSet), ...measures(dataSet)].find((named) => named.name === name);
}

/** Measures that a line can show: all if rows have times, otherwise what adds up over time. */
export function drawnMeasures(dataSet: DataSet): Measure[] {
  const additive = dataSet.fields.filter((field) => field.additive).map(({ name }) => name);
  return dataSet.timeFields ? measures(dataSet) : measures(dataSet).filter(({ name }) => additive.includes(name));
}

/** Measures with a known earlier value: every measure of a line, except for tasks as they are now. */
export function comparableMeasures(dataSet: DataSet): Measure[] {
  return drawnMeasures(dataSet).filter(({ time }) => time !== 'now');
}
