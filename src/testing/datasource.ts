import { type DataSourceInstanceSettings } from '@grafana/data';

import { DataSource } from '../datasource';
import { type InsightsJsonData } from '../settings';
import { type Suggestion } from '../suggestions';
import { templatesWith } from './templates';

/** A data source with these variables, whose backend knows these values. */
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
