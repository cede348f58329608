/// <reference types="systemjs" />
import * as emotionCss from '@emotion/css';
import * as grafanaData from '@grafana/data';
import type { DataSourceApi, DataSourceJsonData, DataSourcePlugin, DataSourcePluginMeta } from '@grafana/data';
import * as grafanaRuntime from '@grafana/runtime';
import type { DataQuery } from '@grafana/schema';
import * as grafanaUi from '@grafana/ui';
import * as i18next from 'i18next';
import lodash from 'lodash';
import React from 'react';
import jsxRuntime from 'react/jsx-runtime';
import ReactDom from 'react-dom';
import * as rxjs from 'rxjs';

/** The plugin under test, whatever its types are: the page knows it by Grafana's contract only. */
export type Plugin = DataSourcePlugin<DataSourceApi, DataQuery, DataSourceJsonData>;

const folder = '/public/plugins/insights-reporting-datasource';

// What a plugin does not bundle because Grafana lends it: create-plugin's list of externals, as far as it is used.
const shared: Record<string, object> = {
  '@emotion/css': emotionCss,
  '@grafana/data': grafanaData,
  '@grafana/runtime': grafanaRuntime,
  '@grafana/ui': grafanaUi,
  i18next: i18next.default,
  lodash,
  react: React,
  'react/jsx-runtime': jsxRuntime,
  'react-dom': ReactDom,
  rxjs,
};

function share(): void {
  const imports = Object.fromEntries(Object.keys(shared).map((name) => [name, `package:${name}`]));
  System.addImportMap({ imports });
  for (const [name, module] of Object.entries(shared)) {
    System.set(`package:${name}`, { ...module, default: module, __useDefault: true });
  }
}

/** Loads the built `dist/module.js` through SystemJS, as Grafana does. */
export async function loadPlugin(): Promise<{ plugin: Plugin; meta: DataSourcePluginMeta }> {
  share();
  const [meta, module] = await Promise.all([
    fetch(`${folder}/plugin.json`).then((response) => response.json()),
    System.import(`${folder}/module.js`),
  ]);
  // An AMD module comes as one value, and as a promise of it when the plugin waits for its translations.
  const { plugin } = await (module.__useDefault ? module.default : module);
  return { plugin, meta: { ...meta, module: `${folder}/module.js`, baseUrl: folder } };
}
