import { dataSets, drawnMeasures, groupableFields, measures, type DataSet } from '../../datasets/datasets';
import type { Dice } from './dice';

/** A saved query, and what its response must match. */
export interface CaseQuery {
  set: string;
  /** All queries of a case look back a different number of days, so that the service can distinguish them. */
  days: number;
  json: Record<string, unknown>;
  /** All rows of the data set, their number, or something that is not checked in detail. */
  expects: 'rows' | 'count' | 'anything';
}

const operators = ['=', '!=', '=~', '!~', '=|', '!=|', '<', '<=', '>', '>='];

const units = ['auto', 'hour', 'day', 'week', 'month'];

function anyQuery(dataSet: DataSet, dice: Dice): Record<string, unknown> & { format: string } {
  const format = dice.pick(['table', 'numeric', 'timeseries', ...(dataSet.timeFields ? ['timeline'] : [])]);
  const hasMeasure = format === 'numeric' || format === 'timeseries';
  const measured = format === 'timeseries' ? drawnMeasures(dataSet) : measures(dataSet);
  const field = () => dice.pick(dataSet.fields).name;
  return {
    format,
    ...(hasMeasure && { measure: dice.pick(measured).name }),
    ...(format !== 'table' && dice.chance(0.5) && { groupBy: [dice.pick(groupableFields(dataSet)).name] }),
    ...(dice.chance(0.3) && { sort: { field: field(), order: dice.pick(['asc', 'desc']) } }),
    ...(dice.chance(0.3) && {
      filters: [{ key: field(), operator: dice.pick(operators), value: dice.pick(['', '7', 'a.*', '2026-01-31']) }],
    }),
    ...(dice.chance(0.2) && { columns: [dice.pick([field(), 'extra'])] }),
    ...(dice.chance(0.2) && { limit: dice.int(1, 9) }),
    ...(dice.chance(0.2) && { timezone: dice.pick(['utc', 'America/Sao_Paulo', 'Asia/Kathmandu']) }),
    ...(format === 'timeseries' && dice.chance(0.3) && { per: dice.pick(units) }),
    ...(dice.chance(0.2) && { search: dice.pick(['a', 'label-001', 'ü']) }),
  };
}

/** Lines of totals read every window from their days down to 1; other queries use larger numbers. */
const beyond = 30;

/** The queries of one request. */
export function makeQueries(dice: Dice): CaseQuery[] {
  return Array.from({ length: dice.int(1, 4) }, (_, index) => {
    const dataSet = dice.pick(dataSets);
    const days = beyond + index + 1;
    const common = { queryType: dataSet.name, days };
    const expects = dice.weighted([
      [5, 'rows'],
      [1, 'count'],
      [4, 'anything'],
    ] as const);
    if (expects === 'rows') {
      return { set: dataSet.name, days, json: common, expects };
    }
    if (expects === 'count' && dataSet.name === 'tasks') {
      return { set: dataSet.name, days, json: { ...common, format: 'numeric', measure: 'tasks' }, expects };
    }
    const json = { ...common, ...anyQuery(dataSet, dice) };
    const isLineOfSums = json.format === 'timeseries' && !dataSet.timeFields;
    return {
      set: dataSet.name,
      days,
      json: isLineOfSums ? { ...json, days: index + 1 } : json,
      expects: 'anything',
    };
  });
}
