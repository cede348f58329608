import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dataSets, type Field, type Measure } from '../../schema/datasets';
import { blocks, bold, code, rows, section } from './support/markdown';
import { page } from './support/pages';
import { goTexts, operators, savedProperties, uiTexts } from './support/sources';

const { text } = page('docs/query-editor.md');

const units: Record<string, string> = {
  locale: 'count',
  percentunit: '0 to 1',
  s: 'seconds',
  'suffix:×': '×',
  dateTimeAsLocal: 'time',
};

const unitOf = ({ unit }: Field | Measure) => (unit === undefined ? undefined : (units[unit] ?? `a name for ${unit}`));

/** The type of a field, its unit, and what it can be used for. */
function useOf(field: Field): string {
  const { type, rate, money, groupable, serviceSort, aggregate, additive } = field;
  const unit = rate ? 'rate' : money ? 'money' : unitOf(field);
  const uses = [groupable && 'label', serviceSort && 'service sort', aggregate, additive && 'history'];
  return [type, unit, ...uses].filter(Boolean).join(', ');
}

describe('fields', () => {
  const [, ...listed] = rows(section(text, 'Data sets and fields').split('### ')[0]);
  const fields = dataSets.flatMap(({ label, fields, derived = [] }) => [
    ...[[`**${label}**`, '', '', ''], ...fields.map(rowOf)],
    ...(derived.length ? [[`**${label}, derived**`, '', '', ''], ...derived.map(rowOf)] : []),
  ]);

  test('complete, in the order of the description', () => {
    assert.deepEqual(
      listed.map(([name]) => name),
      fields.map(([name]) => name)
    );
  });

  for (const [index, field] of fields.entries()) {
    test(field[0], () => assert.deepEqual(listed[index], field));
  }
});

function rowOf(field: Field): string[] {
  return [`\`${field.name}\``, field.label, useOf(field), field.description];
}

describe('measures of tasks', () => {
  const measures = dataSets[0].measures ?? [];
  const [, ...listed] = rows(section(text, 'Measures of tasks'));

  test('complete, in the order of the description', () => {
    assert.deepEqual(
      listed.map(([name]) => name),
      measures.map(({ name }) => `\`${name}\``)
    );
  });

  for (const [index, measure] of measures.entries()) {
    test(measure.name, () => {
      const [, label, , unit] = listed[index];
      assert.deepEqual([label, unit], [measure.label, unitOf(measure)]);
    });
  }

  test('without rows, counts, run time, work, and occupancy are 0, and all others null', () => {
    const zero = measures.filter(
      ({ unit, name }) => unit === 'locale' || ['runTime', 'queuedWork', 'occupancy'].includes(name)
    );
    assert.deepEqual(
      measures.filter(({ empty }) => empty === 'zero'),
      zero
    );
  });
});

test('the saved query has the properties of the contract', () => {
  const [, ...listed] = rows(section(text, 'The saved query'));
  assert.deepEqual(listed.flatMap(([name]) => code(name)).sort(), [...savedProperties].sort());
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
