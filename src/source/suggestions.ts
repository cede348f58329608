import { type ScopedVars, type TimeRange } from '@grafana/data';
import { type ComboboxOption } from '@grafana/ui';

import { type DataSet, type Field } from '../../schema/datasets';
import { type InsightsQuery, type InsightsVariableQuery } from '../query/query';

/** Default look-back of suggestions, which is the service's own default. */
export const defaultDays = 30;

/** A value, and its display name. */
export type Suggestion = { value: string; text: string };

/** The part of the data source that provides values. */
export interface SuggestionSource {
  getResource<T>(path: string, params?: Record<string, unknown>, options?: { showErrorAlert: boolean }): Promise<T>;
}

/** The part of the data source that editors use. */
export interface EditorSource extends SuggestionSource {
  /** Names of the dashboard's variables; an alert rule has none. */
  variableNames(): string[];
  /** References of a saved query to variables that don't exist. */
  unknownVariables(saved: InsightsQuery | InsightsVariableQuery, scopedVars?: ScopedVars): string[];
}

/** Values of a field. Keys of named things, such as automations, have their own routes, which also return names. */
export function fetchSuggestions(
  source: SuggestionSource,
  dataSet: DataSet,
  field: string,
  { days, search }: { days?: number; search?: string }
): Promise<Suggestion[]> {
  if (calendar[field]) {
    const found = calendar[field].filter((value) => value.toLowerCase().includes(search?.toLowerCase() ?? ''));
    return Promise.resolve(found.map((value) => ({ value, text: value })));
  }
  const keyRoute = !dataSet.timeFields && field === dataSet.searchField ? dataSet.name : undefined;
  const params = keyRoute ? { days, search } : { queryType: dataSet.name, field, days, search };
  return source.getResource(keyRoute ?? 'values', params, { showErrorAlert: false });
}

/** Values of the fields that the plugin derives from times: the backend has no rows with them. */
const calendar: Record<string, string[]> = {
  weekday: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  hour: Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
};

/** All values of a field, if they are known. datasets.json gives colors only to such fields. */
export const knownValues = ({ name, colors = {} }: Field): string[] => calendar[name] ?? Object.keys(colors);

/** Values of a field as options of a combobox. If they can't be read, the combobox says so; free text still works. */
export async function suggestOptions(...request: Parameters<typeof fetchSuggestions>): Promise<ComboboxOption[]> {
  const suggestions = await fetchSuggestions(...request);
  return suggestions.map(({ value, text }) => ({
    value,
    label: value,
    description: text === value ? undefined : text,
  }));
}

const day = 86_400_000;
/** The backend has the same tolerance for a range that begins a moment before a whole number of days. */
const slack = 60_000;

/** Whether a time range ends now, such as the last 6 hours: it moves, even while a panel keeps its moments. */
export function followsNow(range: TimeRange | undefined): boolean {
  return range?.raw?.to === 'now' && typeof range.raw.from === 'string';
}

/** The number of days from now back to the start of a time range: rounded up, at least 1, as in the backend. */
export function daysBack(range: TimeRange | undefined, now = Date.now()): number | undefined {
  const end = range && followsNow(range) ? range.to.valueOf() : now;
  return range && Math.max(1, Math.ceil((end - range.from.valueOf() - slack) / day));
}
