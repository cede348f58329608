import description from './datasets.json';

/** The data sets that the service offers. */
export type DataSetName = 'tasks' | 'automations' | 'runners';

/** One column of a data set. */
export interface Field {
  name: string;
  type: 'integer' | 'number' | 'string' | 'time';
  description: string;
  /** Few distinct values: may become a label of a number or a line. */
  groupable?: boolean;
  /** The service itself can sort by it. */
  serviceSort?: boolean;
  /** How grouped rows are put together; only such fields are measures. */
  aggregate?: 'sum' | 'mean';
  /** It adds up over time, as counts and money do: the difference of two sums up to now is what happened in between. */
  additive?: boolean;
  unit?: string;
  decimals?: number;
  /** A rate in the service's own scale. */
  rate?: boolean;
  /** An amount in the workspace's currency. */
  money?: boolean;
  /** Text that the service may also send as a number. */
  acceptsNumber?: boolean;
  /** Value → colour name of Grafana. */
  colors?: Record<string, string>;
}

/** A number that can be computed over the rows of a data set. */
export interface Measure {
  name: string;
  label: string;
  description: string;
  unit?: string;
  decimals?: number;
  /** What a group or a bucket without rows is worth. */
  empty?: 'zero' | 'null';
  /** What it is about where that is not the time field of its rows: tasks as they are now, or when they ran. */
  time?: 'now' | 'runs';
}

/** One data set of the service, as datasets.json describes it. */
export interface DataSet {
  name: DataSetName;
  label: string;
  description: string;
  /** Field that `search` looks in. */
  searchField: string;
  fields: Field[];
  /** Fields that the plugin makes of the others: a table has them where it names them. */
  derived?: Field[];
  /** Fields that a line or a time range can follow; only where the rows are events. */
  timeFields?: string[];
  /** Display name of a row, beside its key. */
  nameField?: string;
  defaultSort?: { field: string; order: 'asc' | 'desc' };
  measures?: Measure[];
}

/** All data sets, in the order in which they are offered. */
export const dataSets = description.dataSets as DataSet[];

/** The data set of that name, if there is one. */
export function findDataSet(name: string | undefined): DataSet | undefined {
  return dataSets.find((dataSet) => dataSet.name === name);
}

/** The data set of that name; tasks when no name is given or none has it. */
export function getDataSet(name?: string): DataSet {
  return findDataSet(name) ?? dataSets[0];
}

/** All field names of a data set, in the specification's order. */
export function fieldNames(dataSet: DataSet): string[] {
  return dataSet.fields.map((field) => field.name);
}

/** Fields that columns, filters and sort can name: those of the service, then the derived ones. */
export function namedFields(dataSet: DataSet): Field[] {
  return [...dataSet.fields, ...(dataSet.derived ?? [])];
}

/** Fields that may become labels. */
export function groupableFields(dataSet: DataSet): Field[] {
  return namedFields(dataSet).filter((field) => field.groupable);
}

/** Fields that the service itself can sort by. */
export function serviceSortFields(dataSet: DataSet): Field[] {
  return dataSet.fields.filter((field) => field.serviceSort);
}

/** Measures of a data set: the listed ones, else its number fields that can be put together over rows. */
export function measures(dataSet: DataSet): Measure[] {
  if (dataSet.measures) {
    return dataSet.measures;
  }
  return dataSet.fields
    .filter((field) => field.aggregate)
    .map(({ name, description, unit, decimals }) => ({ name, label: name, description, unit, decimals }));
}

/** Measures that a line can show: all where rows carry times, else those that add up over time. */
export function drawnMeasures(dataSet: DataSet): Measure[] {
  const additive = dataSet.fields.filter((field) => field.additive).map(({ name }) => name);
  return dataSet.timeFields ? measures(dataSet) : measures(dataSet).filter(({ name }) => additive.includes(name));
}

/** Measures of which an earlier time is known: those of a line, but for what is about tasks as they are now. */
export function comparableMeasures(dataSet: DataSet): Measure[] {
  return drawnMeasures(dataSet).filter(({ time }) => time !== 'now');
}
