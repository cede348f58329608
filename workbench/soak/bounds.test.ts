import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../../simulator/random';
import { type Given, outOfBounds, type Reduction } from './bounds';

const reductions: Reduction[] = [
  { how: 'sum', empty: 'zero' },
  { how: 'sum', empty: 'null' },
  { how: 'mean', empty: 'null' },
];

/** The number for rows that are each as they were at one moment; undefined: the row was not there. */
function numberOf(rows: Array<number | null | undefined>, { how, empty }: Reduction): number | null {
  const there = rows.filter((row) => row !== undefined);
  const given = there.filter((row) => row !== null);
  if (given.length === 0) {
    return there.length === 0 && empty === 'zero' ? 0 : null;
  }
  const sum = given.reduce((total, row) => total + row, 0);
  return how === 'sum' ? sum : sum / given.length;
}

/** Every possible number, by trying all of them. */
function possible(rows: Given[], moments: number, reduction: Reduction): Array<number | null> {
  const choices = rows.map((given) => (given.length < moments ? [...given, undefined] : given));
  const mixes = choices.reduce<Array<Array<number | null | undefined>>>(
    (found, choice) => found.flatMap((mix) => choice.map((one) => [...mix, one])),
    [[]]
  );
  return mixes.map((mix) => numberOf(mix, reduction));
}

describe('numbers of a moving world', () => {
  test('accepts everything possible, and nothing outside of it', () => {
    const random = new Random(1, 'bounds');
    for (let run = 0; run < 3_000; run++) {
      const moments = 1 + Math.floor(random.unit() * 3);
      const rows = Array.from({ length: Math.floor(random.unit() * 5) }, () =>
        Array.from({ length: 1 + Math.floor(random.unit() * moments) }, () =>
          random.chance(0.3) ? null : Math.floor(random.unit() * 10)
        )
      );
      for (const reduction of reductions) {
        const right = possible(rows, moments, reduction);
        const told = JSON.stringify({ rows, moments, reduction });
        for (const value of right) {
          assert.equal(outOfBounds(value, rows, moments, reduction), undefined, `${value} of ${told}`);
        }
        const numbers = right.filter((value) => value !== null);
        assert.notEqual(outOfBounds(Math.max(...numbers, 0) + 0.001, rows, moments, reduction), undefined, told);
        assert.notEqual(outOfBounds(Math.min(...numbers, 0) - 0.001, rows, moments, reduction), undefined, told);
        if (numbers.length > 0) {
          assert.notEqual(outOfBounds(Math.min(...numbers) - 0.001, rows, moments, reduction), undefined, told);
        }
        if (!right.includes(null) && moments === 1) {
          assert.notEqual(outOfBounds(null, rows, moments, reduction), undefined, told);
        }
      }
    }
  });

  test('the complaint says what would be correct', () => {
    const count: Reduction = { how: 'sum', empty: 'zero' };
    assert.equal(outOfBounds(3, [[1], [1]], 1, count), '2');
    assert.equal(outOfBounds(3, [[1, 1], [1]], 2, count), 'between 1 and 2');
    assert.equal(outOfBounds(3, [], 1, { how: 'mean', empty: 'null' }), 'null');
    assert.equal(outOfBounds(null, [], 1, count), '0');
  });
});
