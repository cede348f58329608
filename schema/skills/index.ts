import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

import { dashboardsIn } from '../../dashboards';
import type { Panel } from '../../dashboards/parts';
import { id, name } from '../../src/plugin.json';
import { dataSets, getDataSet, measures, namedFields } from '../datasets';
import { described, type Setting } from '../settings';
import { dsconfig, formats, type JsonSchema, pluginSchema, settingsSchema, querySchema } from './describe';

// A skill is a template in this folder, in which a comment such as <!-- fields tasks --> stands for what is written elsewhere: in
// schema/, in a bundled dashboard, or in provisioning/.

const read = (...file: string[]) => readFileSync(path.join(__dirname, '..', '..', ...file), 'utf8');
const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
/** A line of a list. In a table, | would need a backslash, which is copied with a query. */
const item = ({ name, description }: { name: string; description?: string }, kind = '') =>
  `- ${code(name)}${kind && ` (${kind})`}: ${description}`;

/** The values of a setting or a property, on a line. */
function valuesOf({ enum: values, anyOf, items, properties, type, minimum, maximum }: JsonSchema): string {
  const listed = values ?? anyOf?.[0].enum;
  if (listed) {
    return listed.length > 10 ? 'a name, see below' : listed.map(code).join(', ');
  }
  const range = maximum === undefined ? type! : `${type} from ${minimum} to ${maximum}`;
  const parts = properties && Object.entries(properties).map(([key, part]) => `${code(key)} (${valuesOf(part)})`);
  return items ? `list of ${valuesOf(items)}` : parts ? parts.join(', ') : range;
}

function panelOf(file: string, id: string): Panel {
  const panels = dashboardsIn('en-US')[file].panels.flatMap((one) => [one, ...(one.panels ?? [])]);
  return panels.find((one) => one.id === Number(id))!;
}

/** The first query of a panel, without dashboard variables and what Grafana adds. */
function queryOf({ targets = [] }: Panel): object {
  const { refId, datasource, filters = [], ...query } = targets[0];
  const fixed = filters.filter((filter) => !JSON.stringify(filter).includes('${'));
  const shown = { ...query, ...(fixed.length > 0 && { filters: fixed }) };
  return JSON.parse(JSON.stringify(shown).replaceAll('${compare}', 'week'));
}

/** A panel on a data source, a line for each property, without links to other dashboards. */
function shown({ id: _, ...panel }: Panel): string {
  const datasource = { type: id, uid: 'insights' };
  const own = { ...panel, datasource, targets: [{ refId: 'A', datasource, ...queryOf(panel as Panel) }] };
  const isKept = (one: { id?: string } | null) => one?.id !== 'links' && one?.id !== 'filterable';
  const kept = (key: string, value: unknown) =>
    key === 'links' ? undefined : Array.isArray(value) ? value.filter(isKept) : value;
  const lines = Object.entries(own).map(([key, value]) => `  "${key}": ${JSON.stringify(value, kept)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

type Asked = { relativeTimeRange: { from: number; to: number }; model: Record<string, unknown> };
type Rule = { title: string; noDataState: string; data: Asked[] };

const rules = readdirSync(path.join(__dirname, '../../provisioning/alerting')).flatMap((file): Rule[] =>
  parse(read('provisioning/alerting', file)).groups.flatMap((group: { rules: Rule[] }) => group.rules)
);

/** A rule, and below it its queries with the time that counts, and its expressions. */
const linesOf = ({ title, data, noDataState }: Rule) => [
  `- **${title}**, \`noDataState: ${noDataState}\``,
  ...data.map(({ relativeTimeRange: { from, to }, model: { refId, ...model } }) => {
    const time = model.expression || model.days ? '' : `, from ${from} to ${to} s before now`;
    return `  - ${refId}${time}: ${code(model)}`;
  }),
];

/** The lines that stand for each comment. */
const written: Record<string, (...words: string[]) => string[]> = {
  settings: () =>
    Object.entries<Setting>(described).map(([key, { in: place, default: initial, description }]) => {
      const values = valuesOf(settingsSchema(place).properties![key]);
      const name = place === 'root' ? key : `${place}.${key}`;
      return item({ name, description }, initial === undefined ? values : `${values}; default ${code(initial)}`);
    }),
  formats: () => Object.entries(formats).map(([name, description]) => item({ name, description })),
  properties: () =>
    Object.entries(querySchema(dataSets[0]).properties!).map(([name, part]) => item({ ...part, name }, valuesOf(part))),
  fields: (set) => namedFields(getDataSet(set)).map((field) => item(field, field.groupable ? 'label' : field.type)),
  measures: (set) => measures(getDataSet(set)).map((measure) => item(measure)),
  query: (file, panel) => [code(queryOf(panelOf(file, panel)))],
  panel: (file, panel) => ['```json', shown(panelOf(file, panel)), '```'],
  rules: () => rules.flatMap(linesOf),
  yaml: (file) => ['```yaml', `${read(file)}\`\`\``],
};

/** Skills by name: instructions for coding agents. */
const skills = ['configuring', 'querying', 'alerting'].map((verb) => {
  const filled = read('schema/skills', `${verb}.md`).replace(/<!-- (\w+) ?(.*?) -->/g, (_, what, words) =>
    written[what](...words.split(' ')).join('\n')
  );
  return [`skills/${verb}-insights/SKILL.md`, filled] as const;
});

const examples = rules.flatMap(({ title, data }) =>
  data.filter(({ model }) => !model.expression).map(({ model: { refId, ...query } }) => ({ name: title, query }))
);

/** The files that tell other programs how to use the plugin, by their paths in its folder. */
export const instructions: Record<string, string> = {
  ...Object.fromEntries(skills),
  'schema/v0alpha1.json': JSON.stringify(pluginSchema(examples)),
  'schema/dsconfig.json': JSON.stringify(dsconfig({ id, name })),
};
