import { readFileSync } from 'node:fs';
import path from 'node:path';

import pluginJson from '../src/plugin.json';
import { automations } from './automations';
import { businessValue } from './business-value';
import { history } from './history';
import type { Dashboard } from './parts';
import { runners } from './runners';
import { tasks } from './tasks';
import { today } from './today';
import { translated } from './translate';
import { wall } from './wall';
import { workspaces } from './workspaces';

const english: Record<string, Dashboard> = {
  'today.json': today,
  'automations.json': automations,
  'business-value.json': businessValue,
  'runners.json': runners,
  'tasks.json': tasks,
  'workspaces.json': workspaces,
  'wall.json': wall,
  'history.json': history,
};

/** The texts of the dashboards in the other languages, by the text in English. */
export const dictionaries: Record<string, Record<string, string>> = Object.fromEntries(
  pluginJson.languages
    .filter((language) => language !== 'en-US')
    .map((language) => [
      language,
      JSON.parse(readFileSync(path.join(__dirname, 'locales', `${language}.json`), 'utf8')),
    ])
);

/** The dashboards of a language by file name. */
export function dashboardsIn(language: string): Record<string, Dashboard> {
  const texts = dictionaries[language];
  return Object.fromEntries(
    Object.entries(english).map(([file, one]) => [file, texts ? translated(one, language, texts) : one])
  );
}

/**
 * The folder of a dashboard. One whose data source is selected when it is imported can't be provisioned as it is, so it is
 * not in the folder that a provider of Grafana reads.
 */
const folderOf = (one: Dashboard) => (one.__inputs ? 'wall' : 'dashboards');

/**
 * All dashboards by their paths in the plugin's folder. A provider of Grafana reads a folder and all below it, so each
 * language has a folder of its own.
 */
export const bundled: Record<string, Dashboard> = Object.fromEntries([
  ...Object.entries(english).map(([file, one]) => [`${folderOf(one)}/${file}`, one]),
  ...Object.keys(dictionaries).flatMap((language) =>
    Object.entries(dashboardsIn(language)).map(([file, one]) => [`locales/${language}/${folderOf(one)}/${file}`, one])
  ),
]);
