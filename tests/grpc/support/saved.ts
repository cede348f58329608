import Ajv from 'ajv';
import { findDataSet, dataSets } from '../../../schema/datasets';
import { type JsonSchema, querySchema } from '../../../schema/skills/describe';

const ajv = new Ajv({ allErrors: true });

/** Why a value doesn't match a schema. */
export function faultsOf(schema: JsonSchema, value: unknown): string[] {
  const { $schema, ...rest } = schema; // Draft 4, of which only what later drafts have, too, is used.
  return ajv.validate(rest, value) ? [] : [ajv.errorsText()];
}

/** Why a saved query doesn't match the description of its data set. Grafana's own properties are left out. */
export function queryFaults({ refId, datasource, hide, ...query }: Record<string, unknown>): string[] {
  const name = query.queryType ?? dataSets[0].name;
  const dataSet = findDataSet(String(name));
  return dataSet ? faultsOf(querySchema(dataSet), query) : [`there is no data set ${name}`];
}
