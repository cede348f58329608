import { isEqual, omit, pick } from 'lodash';
import { useEffect, useRef } from 'react';

import { type PanelData } from '@grafana/data';
import { t } from '@grafana/i18n';
import { type ComboboxOption } from '@grafana/ui';

import { type DataSet, type Named, namedFields } from '../../schema/datasets';
import { shownQuery } from '../query/shown';
import { type InsightsQuery, type InsightsVariableQuery, type QueryParts } from '../query/query';
import { type EditorSource } from '../source/suggestions';
import { labelOf, nameAndDescription } from '../query/texts';

/** Props of every control of the query editor. */
export interface ControlProps {
  query: InsightsQuery;
  dataSet: DataSet;
  datasource: EditorSource;
  /** Days that suggestions look back. */
  days: number;
  /** Fields of the last response that datasets.json does not describe. */
  seenFields: string[];
  onChange: (parts: Partial<QueryParts>) => void;
}

/** The dashboard's variables as options of a combobox. */
export function variableOptions({ datasource }: Pick<ControlProps, 'datasource'>): ComboboxOption[] {
  const group = t('editor.variables', 'Variables');
  return datasource.variableNames().map((name) => ({ value: `\${${name}}`, group }));
}

/** What schema/ describes, with what the API calls it, as options of a combobox. */
export function describedOptions(named: Named[]): ComboboxOption[] {
  return named.map((each) => ({ value: each.name, label: labelOf(each), description: nameAndDescription(each) }));
}

/** Values by their labels as options of a combobox. */
export function labeledOptions(labels: Record<string, string>): ComboboxOption[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

/** The fields of rows, described or not, and variables, as options of a combobox. */
export function fieldOptions(control: Pick<ControlProps, 'dataSet' | 'seenFields' | 'datasource'>): ComboboxOption[] {
  const seen = control.seenFields.map((value) => ({ value }));
  return [...describedOptions(namedFields(control.dataSet)), ...seen, ...variableOptions(control)];
}

/** Fields in the response to this query that datasets.json does not describe: the service adds fields. */
export function seenFields(data: PanelData | undefined, refId: string, dataSet: DataSet): string[] {
  const known = new Set(namedFields(dataSet).map(({ name }) => name));
  const names = (data?.series ?? [])
    .filter((frame) => frame.refId === refId)
    .map(({ fields }) => fields.map(({ name }) => name))
    // Those of a line are no columns.
    .filter((fields) => fields.some((name) => known.has(name)));
  return [...new Set(names.flat())].filter((name) => !known.has(name));
}

/** A saved query as its editor shows it. Only what is changed is saved: the rest stays in the query as it is. */
export function useSaved<Q extends InsightsQuery | InsightsVariableQuery>(saved: Q, onChange: (query: Q) => void) {
  const query = shownQuery(saved);
  const hasChanged = useChanged(saved);
  /** Saves a changed query, in which these properties were set. Returns whether that changes anything. */
  const save = (changed: Q, set: readonly string[] = []): boolean => {
    const names = Object.keys({ ...query, ...changed }) as Array<keyof Q & string>;
    const written = [...names.filter((name) => !isEqual(query[name], changed[name])), ...set];
    const result = { ...omit(saved, written), ...pick(changed, written) } as Q;
    const isOther = hasChanged(result);
    if (isOther) {
      onChange(result);
    }
    return isOther;
  };
  return { query, save };
}

/**
 * Whether a value differs from the previous one. Grafana's combobox may report a selection several times, even before it renders
 * it; without this check, each report would run the query again, and Explore of Grafana 12.4 would render without end.
 */
export function useChanged<T>(current: T): (value: T) => boolean {
  const last = useRef(current);
  useEffect(() => {
    last.current = current;
  }, [current]);
  return (value) => {
    const hasChanged = !isEqual(value, last.current);
    last.current = value;
    return hasChanged;
  };
}
