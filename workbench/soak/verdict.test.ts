import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { grown, type Resources } from './resources';
import { parseOptions } from './options';
import { secretIn } from './secrets';
import { Tally } from './tally';
import { asked } from './testing';

const MIB = 2 ** 20;
const before: Resources = { goroutines: 30, connections: 12, files: 22, memory: 40 * MIB };

describe('remaining resources', () => {
  test('what comes and goes is not a leak', () => {
    assert.deepEqual(grown(before, before), []);
    assert.deepEqual(grown(before, { goroutines: 40, connections: 16, files: 28, memory: 88 * MIB }), []);
    assert.deepEqual(grown(before, { goroutines: 5, connections: 1, files: 8, memory: MIB }), []);
  });

  for (const [name, more] of [
    ['goroutines', 11],
    ['connections', 5],
    ['files', 7],
    ['memory', 49 * MIB],
  ] as const) {
    test(`${name} are named with both numbers`, () => {
      const after = { ...before, [name]: before[name]! + more };
      assert.match(grown(before, after).join('; '), new RegExp(`^${name} grew from \\d+( MiB)? to \\d+( MiB)?$`));
    });
  }

  test('without /proc, only goroutines are checked', () => {
    const bare: Resources = { goroutines: 30, connections: null, files: null, memory: null };
    assert.deepEqual(grown(bare, bare), []);
    assert.equal(grown(bare, { ...bare, goroutines: 60 }).length, 1);
  });
});

describe('the verdict over all responses', () => {
  const add = (tally: Tally, outcome: 'exact' | 'incomplete' | 'excused' | 'wrong', count: number) => {
    for (let i = 0; i < count; i++) {
      tally.add(asked({ queryType: 'tasks' }), { outcome, complaint: 'so many rows' }, ['a fault']);
    }
  };

  test('one wrong response among thousands is enough, and is reported', () => {
    const tally = new Tally();
    add(tally, 'exact', 5_000);
    assert.deepEqual(tally.faults(), []);
    add(tally, 'wrong', 1);
    assert.match(tally.faults().join(), /^1 of 5001 responses are wrong$/);
    assert.match(tally.complaints.join(), /"queryType":"tasks".*so many rows \[a fault\]/);
  });

  test('no responses, or only excused ones, prove nothing', () => {
    const tally = new Tally();
    assert.equal(tally.faults().length, 1);
    add(tally, 'excused', 10);
    assert.equal(tally.excusedBy('a fault'), 10);
    assert.equal(tally.faults().length, 1);
    add(tally, 'exact', 7);
    assert.deepEqual(tally.faults(), []);
    add(tally, 'incomplete', 3);
    assert.match(tally.faults().join(), /only 7 of 10/);
  });
});

test('secrets are found, and not repeated', () => {
  assert.equal(secretIn('refused: demo-key', ['demo-key']), 'the key');
  assert.equal(secretIn('token 2f1c6a1e-8f0b-4c57-9a4e-0d6f0c3b9a11 is old', []), 'a token');
  assert.equal(secretIn('refused', ['demo-key']), undefined);
});

describe('options', () => {
  test('the defaults, and given values', () => {
    assert.deepEqual(parseOptions([]), { minutes: 5, seed: 1, tasksPerDay: 500 });
    const given = ['--minutes', '0.5', '--seed', '7', '--tasks-per-day', '20'];
    assert.deepEqual(parseOptions(given), { minutes: 0.5, seed: 7, tasksPerDay: 20 });
  });

  for (const args of [
    ['--minutes', '0.1'],
    ['--minutes', 'long'],
    ['--seed', '1.5'],
    ['--seed', '0'],
    ['--tasks-per-day', '10001'],
    ['--hours', '1'],
  ]) {
    test(`${args.join(' ')} is refused`, () => assert.throws(() => parseOptions(args)));
  }
});
