import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { once } from 'lodash';
import { parse } from 'yaml';
import { dataSets, measures, namedFields } from '../../schema/datasets';
import { described } from '../../schema/settings';
import { instructions } from '../../schema/skills';
import { formats, settingsSchema } from '../../schema/skills/describe';
import { partNames } from '../../src/query/parts';
import { readTeams } from '../dashboards/support/files';
import { blocks, code, prose } from '../docs/support/markdown';
import { dataSourceFor, startPlugin } from './support/plugin';
import cases from './support/saved.json';
import { faultsOf, queryFaults } from './support/saved';
import { startService } from './support/service';

type Query = Record<string, unknown>;

const skill = (verb: string) => instructions[`skills/${verb}-insights/SKILL.md`];
const texts = ['configuring', 'querying', 'alerting'].map((verb) => ({ verb, text: skill(verb) }));

/** The queries of a skill: in a line, of panels, and of rules. */
function queriesIn(text: string): Query[] {
  const inLines = [...text.matchAll(/`(\{"[^`]*\})`/g)].map(([, json]) => JSON.parse(json) as Query);
  const panels = blocks(text).filter(({ language }) => language === 'json');
  const files = blocks(text).filter(({ language }) => language === 'yaml');
  const rules = files.flatMap(({ code }) => parse(code).groups ?? []).flatMap((group) => group.rules);
  const models: Query[] = rules.flatMap(({ data }) => data.map((one: { model: Query }) => one.model));
  const targets: Query[] = panels.flatMap(({ code: json }) => JSON.parse(json).targets);
  return [...inLines, ...targets, ...models].filter(({ expression }) => !expression);
}

describe('skills', () => {
  const plugin = startPlugin();
  const service = startService({ tasksPerDay: 400, historyDays: 60 });
  // One for all queries: its rows are read once.
  const source = once(() => dataSourceFor(service.url, { ...readTeams().jsonData, login: 'demo' }));

  for (const { verb, text } of texts) {
    test(`${verb}: says what it is for, and nothing is left of its template`, () => {
      assert.match(text, new RegExp(`^---\nname: ${verb}-insights\ndescription: .{50,}\n---\n\n# `));
      assert.doesNotMatch(text, /<!--|undefined|\[object/);
    });

    test(`${verb}: its data sources have valid settings`, () => {
      const files = blocks(text).filter(({ language }) => language === 'yaml');
      for (const { url, jsonData, secureJsonData } of files.flatMap((file) => parse(file.code).datasources ?? [])) {
        assert.deepEqual(faultsOf(settingsSchema('root'), { url }), []);
        assert.deepEqual(faultsOf(settingsSchema('jsonData'), jsonData), []);
        assert.deepEqual(Object.keys(secureJsonData), ['key']);
      }
    });

    for (const query of queriesIn(text)) {
      test(`${verb}: ${JSON.stringify(query)}`, async () => {
        assert.deepEqual(queryFaults(query), []);
        const headers: Record<string, string> = verb === 'alerting' ? { FromAlert: 'true' } : {};
        const [{ error, frames }] = await plugin.askAll(source(), [query], undefined, headers);
        assert.deepEqual([error, frames.some(({ data }) => data.values[0]?.length > 0)], [undefined, true]);
      });
    }
  }

  test('name all that is described', () => {
    const named = (verb: string) => code(prose(skill(verb)));
    const fields = dataSets.flatMap((set) => [...namedFields(set), ...measures(set)]).map(({ name }) => name);
    const settings = Object.entries(described).map(([name, { in: place }]) => `${place}.${name}`.replace('root.', ''));
    const missing = [...fields, ...partNames, ...Object.keys(formats)].filter(
      (name) => !named('querying').includes(name)
    );
    assert.deepEqual([...missing, ...settings.filter((name) => !named('configuring').includes(name))], []);
  });

  // What the backend refuses or accepts, the description does, too.
  for (const [name, queries] of Object.entries<Query[]>(cases.queries)) {
    for (const query of queries) {
      test(`query ${JSON.stringify(query)} is ${name}`, async () => {
        const { status } = await plugin.ask(source(), query);
        assert.deepEqual([status, queryFaults(query).length > 0], name === 'refused' ? [400, true] : [200, false]);
      });
    }
  }
  for (const [name, settings] of Object.entries<object[]>(cases.settings)) {
    for (const jsonData of settings.map((some) => ({ login: 'demo', ...some }))) {
      test(`settings ${JSON.stringify(jsonData)} are ${name}`, async () => {
        const results = await plugin.askAll(dataSourceFor(service.url, jsonData), [
          { format: 'deadlines' },
          { columns: ['team'] },
        ]);
        const faults = faultsOf(settingsSchema('jsonData'), jsonData);
        assert.deepEqual([results.some(({ error }) => error), faults.length > 0], Array(2).fill(name === 'refused'));
      });
    }
  }
});
