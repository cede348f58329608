import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataSets, type Field, type Measure } from '../../datasets/datasets';
import { blocks, bold, code, rows, section } from './support/markdown';
import { page, read } from './support/pages';
import { goTexts, operators, uiTexts } from './support/sources';

const { text } = page('docs/query-editor.md');

function unitOf({ rate, money, unit }: Field): string {
  if (money) {
    return 'money, see [currency](configuration.md#currency)';
  }
  const names: Record<string, string> = { locale: 'count', 'suffix:×': '×' };
  return rate
    ? 'rate, see [rate scale](configuration.md#rate-scale)'
    : unit === undefined
      ? '–'
      : (names[unit] ?? unit);
}

function measureUnit({ unit }: Measure): string {
  const names: Record<string, string> = { locale: 'count', percentunit: '0 to 1, shown as %', s: 'seconds' };
  return names[unit ?? ''] ?? `a name for unit ${unit}`;
}

const yes = (is: boolean | undefined) => (is ? 'yes' : '');

/** The cells that every table of fields has. */
const rowOf = (field: Field) => [
  `\`${field.name}\``,
  field.label,
  field.type,
  unitOf(field),
  field.description,
  yes(field.groupable),
];

for (const dataSet of dataSets) {
  describe(`fields of ${dataSet.name}`, () => {
    const [, ...listed] = rows(section(text, dataSet.label));
    const hasServiceSort = dataSet.fields.some(({ serviceSort }) => serviceSort);

    test('complete, in the order of the description', () => {
      assert.deepEqual(
        listed.map(([name]) => name),
        dataSet.fields.map(({ name }) => `\`${name}\``)
      );
    });

    for (const [index, field] of dataSet.fields.entries()) {
      test(field.name, () => {
        const expected = rowOf(field);
        assert.deepEqual(listed[index], hasServiceSort ? [...expected, yes(field.serviceSort)] : expected);
      });
    }
  });
}

test('derived fields of tasks: complete, in the order of the description', () => {
  const [, ...listed] = rows(section(text, 'Derived fields of tasks'));
  const [{ derived = [] }] = dataSets;
  assert.deepEqual(listed, derived.map(rowOf));
});

describe('measures', () => {
  const [tasks, ...others] = dataSets;
  const [, ...listed] = rows(section(text, 'Measures of tasks'));

  test('of tasks: complete, in the order of the description', () => {
    assert.deepEqual(
      listed.map(([name]) => name),
      tasks.measures?.map(({ name }) => `\`${name}\``)
    );
  });

  for (const [index, measure] of (tasks.measures ?? []).entries()) {
    test(`of tasks: ${measure.name}`, () => {
      const [, label, , unit, without] = listed[index];
      const empty = measure.empty === 'zero' ? '0' : 'null';
      assert.deepEqual([label, unit, without], [measure.label, measureUnit(measure), empty]);
    });
  }

  for (const [aggregate, how] of [
    ['sum', 'added'],
    ['mean', 'averaged'],
  ]) {
    test(`of automations and runners: ${how}`, () => {
      const [row] = rows(section(text, 'Measures of automations and runners')).filter(([, cell]) =>
        cell.startsWith(how)
      );
      const fields = others.flatMap((dataSet) => dataSet.fields.filter((field) => field.aggregate === aggregate));
      assert.deepEqual(
        code(row[0]),
        fields.map(({ name }) => name)
      );
    });
  }
});

test('the saved query has the properties of the contract', () => {
  const [, ...listed] = rows(section(text, 'The saved query'));
  const [, body] = /interface InsightsQuery extends DataQuery \{([\s\S]*?)\n\}/.exec(read('src/query.ts')) ?? [];
  const properties = [...body.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name);
  assert.deepEqual(listed.flatMap(([name]) => code(name)).sort(), properties.sort());
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
  const [, ...listed] = rows(section(text, 'What the panel inspector shows'));
  assert.deepEqual(
    listed.map(([name]) => name).filter((name) => !goTexts.includes(name)),
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
