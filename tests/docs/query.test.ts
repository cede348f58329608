import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataSets, type Field } from '../../schema/datasets';
import { partNames } from '../../src/query/parts';
import { operators } from '../../src/query/query';
import { blocks, bold, code, rows, section } from './support/markdown';
import { page } from './support/pages';
import { goTexts, uiTexts } from './support/sources';

const { text } = page('docs/query-editor.md');

const units: Record<string, string> = { locale: 'count', percentunit: '0 to 1', s: 'seconds', dateTimeAsLocal: 'time' };

const names = (fields: Array<Pick<Field, 'name'>>) => fields.map(({ name }) => name);

test('each field is in the rows of its uses', () => {
  const uses: Array<(field: Field, isDerived: boolean) => unknown> = [
    ({ groupable }, isDerived) => groupable && !isDerived,
    ({ additive }) => additive,
    ({ aggregate, additive }) => aggregate === 'sum' && !additive,
    ({ aggregate }) => aggregate === 'mean' || aggregate === 'return',
    ({ groupable, aggregate }, isDerived) => !groupable && !aggregate && !isDerived,
    ({ groupable }, isDerived) => groupable && isDerived,
    ({ groupable }, isDerived) => !groupable && isDerived,
    ({ serviceSort }) => serviceSort,
  ];
  const [head, ...listed] = rows(section(text, 'Data sets and fields').split('### ')[0]);
  assert.deepEqual(head, ['', ...dataSets.map(({ label }) => label)]);
  assert.deepEqual(
    listed.map(([, ...cells]) => cells.map(code)),
    uses.map((isUsed) =>
      dataSets.map(({ fields, derived = [] }) => [
        ...names(fields.filter((field) => isUsed(field, false))),
        ...names(derived.filter((field) => isUsed(field, true))),
      ])
    )
  );
});

test('each measure of tasks is in the row of its unit', () => {
  const measures = dataSets[0].measures ?? [];
  const [, ...listed] = rows(section(text, 'Measures of tasks'));
  assert.deepEqual(
    listed.map(([unit, cell]) => [unit, code(cell)]),
    Object.entries(units).map(([unit, label]) => [label, names(measures.filter((measure) => measure.unit === unit))])
  );
});

test('without rows, counts, run time, work, and occupancy are 0, and all others null', () => {
  const measures = dataSets[0].measures ?? [];
  const zero = measures.filter(
    ({ unit, name }) => unit === 'locale' || ['runTime', 'queuedWork', 'occupancy'].includes(name)
  );
  assert.deepEqual(
    measures.filter(({ empty }) => empty === 'zero'),
    zero
  );
});

test('the saved query has the properties of the contract', () => {
  const [, ...listed] = rows(section(text, 'The saved query'));
  assert.deepEqual(listed.flatMap(([name]) => code(name)).sort(), [...partNames].sort());
});

test('the saved query has an example of each property', () => {
  const saved = section(text, 'The saved query');
  const [, ...listed] = rows(saved);
  const examples = blocks(saved).filter(({ language }) => language === 'json');
  const shown = new Set(examples.flatMap(({ code: json }) => Object.keys(JSON.parse(json))));
  assert.deepEqual([...shown].sort(), listed.flatMap(([name]) => code(name)).sort());
});

test('every operator is documented', () => {
  const table = rows(section(text, 'Filters')).map(([first]) => code(first));
  assert.deepEqual(
    operators.filter((operator) => !table.flat().includes(operator)),
    []
  );
});

test('the stats have the names that the panel inspector shows', () => {
  const [, stats] = section(text, 'What the panel inspector shows').split('Inspect → Stats** ');
  assert.deepEqual(
    bold(stats).filter((name) => !goTexts.includes(name)),
    []
  );
});

test('the controls have their names in the editor', () => {
  const keys = [...uiTexts.keys()].filter((key) =>
    /^editor\.(limit\.(rows|groups|series)|(?!order|format)[\w-]+\.label)$/.test(key)
  );
  const names = bold(text).flatMap((name) => name.split(' → '));
  assert.ok(keys.length >= 12, `only ${keys.length} controls were found in the editor`);
  for (const key of keys.filter((key) => !['editor.data-set.label', 'editor.format.label'].includes(key))) {
    const label = uiTexts.get(key)!;
    const isNamed = names.includes(label) || section(text, 'Show as').includes(label);
    assert.ok(isNamed, `${label} (${key}) is not named in docs/query-editor.md`);
  }
});
