import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../workbench/backend/binary';

/** A field of the data sets' description, as far as these tests need it. */
export interface DescribedField {
  name: string;
  type: 'integer' | 'number' | 'string' | 'time';
  rate?: boolean;
}

/** A data set of the description, as far as these tests need it. */
export interface DescribedSet {
  name: string;
  path: string;
  parameters: { days: string };
  fields: DescribedField[];
}

/** The data sets as the project describes them. */
export const dataSets: DescribedSet[] = JSON.parse(
  readFileSync(path.join(root, 'datasets', 'datasets.json'), 'utf8')
).dataSets;

/** A record as the service sends it. */
export type ServiceRecord = Record<string, unknown>;

/** Logs in according to the specification; returns the headers of a data request. */
export async function login(url: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/api/v2/workspace/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'demo', key: 'demo-key' }),
  });
  const { accessToken, organizationLabel } = await response.json();
  return { token: accessToken, organization: organizationLabel };
}

/**
 * All records of a data set over a number of days, read in the simplest way: one page after the other, until the last.
 * Shares nothing with the plugin, so that the two can disagree.
 */
export async function readAll(
  url: string,
  { path: route, parameters }: DescribedSet,
  days = 30
): Promise<ServiceRecord[]> {
  const headers = await login(url);
  const records: ServiceRecord[] = [];
  for (let page = 0; ; page += 1) {
    const response = await fetch(`${url}${route}?${parameters.days}=${days}&page=${page}`, { headers });
    const answer = await response.json();
    if (Array.isArray(answer)) {
      return answer;
    }
    records.push(...answer.content);
    if (answer.last) {
      return records;
    }
  }
}

// A date without an offset is UTC, but JavaScript reads it as local time.
function time(text: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}

/** The expected content of a frame's cell for a record of the service. */
export function cell(record: ServiceRecord, { name, type, rate }: DescribedField): unknown {
  const value = record[name];
  // Without tasks, a rate says nothing.
  if (value === null || value === undefined || (rate && (record.taskCount ?? record.tasks) === 0)) {
    return null;
  }
  switch (type) {
    case 'time':
      return time(String(value));
    case 'string':
      return String(value);
    default:
      return value;
  }
}
