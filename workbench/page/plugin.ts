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

/** The plugin under test, with any types: the page only uses Grafana's contract. */
export type Plugin = DataSourcePlugin<DataSourceApi, DataQuery, DataSourceJsonData>;

const folder = '/public/plugins/insights-reporting-datasource';

// Modules that Grafana provides and plugins don't bundle: the used part of create-plugin's list of externals.
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
  // An AMD module is a single value, or a promise of it if the plugin waits for its translations.
  const { plugin } = await (module.__useDefault ? module.default : module);
  return { plugin, meta: { ...meta, module: `${folder}/module.js`, baseUrl: folder } };
}
