import { existsSync } from 'fs';

import pluginJson from './plugin.json';
import { selectors } from './selectors';

describe('plugin.json', () => {
  it('has the ID that dashboards, files, and Grafana use', () => {
    expect(pluginJson).toMatchObject({
      id: 'insights-reporting-datasource',
      name: 'Insights',
      type: 'datasource',
      executable: 'gpx_insights_reporting',
      backend: true,
      alerting: true,
      metrics: true,
      annotations: true,
    });
  });

  it('declares that it supports multi-value ad hoc filters', () => {
    expect(pluginJson.multiValueFilterOperators).toBe(true);
  });

  it('has the four links that the catalog shows as buttons', () => {
    expect(pluginJson.info.links.map(({ name }) => name)).toEqual([
      'Documentation',
      'Repository',
      'License',
      'Raise issue',
    ]);
  });

  it('names files that exist', () => {
    const { logos } = pluginJson.info;
    for (const path of [logos.small, logos.large]) {
      expect([path, existsSync(`src/${path}`)]).toEqual([path, true]);
    }
  });
});

it('gives every control its own ID', () => {
  const ids = Object.values(selectors).flatMap((group) =>
    Object.values(group).map((id: string | ((index: never) => string)) =>
      typeof id === 'string' ? id : id(1 as never)
    )
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !id.startsWith('insights-'))).toEqual([]);
});
