import { type DataSourceInstanceSettings, type ScopedVars, type TypedVariableModel } from '@grafana/data';

import { DataSource } from '../source/datasource';
import { type Templates } from '../query/interpolate';
import { type InsightsJsonData } from '../settings';
import { type Suggestion } from '../source/suggestions';

/** A data source with these variables, whose backend returns these values. */
export function dataSourceWith(
  suggestions: Suggestion[] | Error = [],
  variables: Parameters<typeof templatesWith>[0] = {}
) {
  const settings = { uid: 'uid', type: 'insights-reporting-datasource', name: 'Insights', jsonData: {} };
  const datasource = new DataSource(
    settings as DataSourceInstanceSettings<InsightsJsonData>,
    templatesWith(variables) as ConstructorParameters<typeof DataSource>[1]
  );
  const getResource = jest.fn(async () => {
    if (suggestions instanceof Error) {
      throw suggestions;
    }
    return suggestions;
  });
  datasource.getResource = getResource as typeof datasource.getResource;
  return { datasource, getResource };
}

/** A dashboard variable: its selected values, its options for All, and a custom text for All. */
interface Variable {
  value?: string | string[];
  all?: string[];
  allText?: string;
}

/** A template service with these variables that formats values as Grafana's does. */
export function templatesWith(variables: Record<string, Variable> = {}): Templates {
  const valueOf = (name: string, scopedVars: ScopedVars) =>
    scopedVars[name]?.value ?? variables[name]?.value ?? variables[name]?.all;
  return {
    getVariables: () =>
      Object.entries(variables).map(
        ([name, { value, all }]) =>
          ({ name, type: 'query', current: { value: all ? '$__all' : value } }) as unknown as TypedVariableModel
      ),
    replace: (text = '', scopedVars = {}, format = 'glob') =>
      text.replace(/\$(\w+)|(?:\$\{|\[\[)(\w+)(?::(\w+))?(?:\}|\]\])/g, (match, plain, braced, own) => {
        const name: string = plain ?? braced;
        const allText = name in scopedVars ? undefined : variables[name]?.allText;
        const value = valueOf(name, scopedVars);
        return value === undefined ? match : (allText ?? formatValue(value, own ?? format));
      }),
  };
}

function formatValue(value: string | string[], format: string | Function): string {
  if (typeof format === 'function') {
    return format(value);
  }
  const values = [value].flat();
  if (format === 'regex') {
    const escaped = values.map((each) => each.replace(/[\\^$*+?.()|[\]{}/]/g, '\\$&'));
    return escaped.length === 1 ? escaped[0] : `(${escaped.join('|')})`;
  }
  if (format === 'csv' || format === 'pipe') {
    return values.join(format === 'csv' ? ',' : '|');
  }
  if (format === 'json') {
    return JSON.stringify(value);
  }
  if (format === 'seconds') {
    return `seconds of ${value}`;
  }
  return values.length === 1 ? values[0] : `{${values.join(',')}}`;
}
