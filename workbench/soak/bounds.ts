/** What one row gave to a number at each moment at which it counted; null: it counted and gave nothing. */
export type Given = Array<number | null>;

/** How the numbers of rows become one. A sum of no rows is 0, unless `empty` is null. */
export interface Reduction {
  how: 'sum' | 'mean';
  empty: 'zero' | 'null';
}

interface Range {
  low: number;
  high: number;
}

/** Sums of decimals depend a little on their order. */
const ROUNDING = 1e-9;

/**
 * Whether a number can come from rows of which each is as it was at one of the moments. With one moment, only the one right
 * number can.
 *
 * @param rows what each row gave; a row with fewer values than moments was elsewhere, or not there, at the others
 * @param moments how many moments there are
 * @returns what would be right, when the value is not
 */
export function outOfBounds(
  value: number | null,
  rows: Given[],
  moments: number,
  reduction: Reduction
): string | undefined {
  const gives = rows.filter((given) => given.some((one) => one !== null));
  const surely = gives.filter((given) => given.length === moments && given.every((one) => one !== null));
  const isThere = rows.some((given) => given.length === moments);
  const canBeEmpty = !isThere && reduction.empty === 'zero';
  const canBeNull =
    surely.length === 0 && (reduction.empty === 'null' || rows.some((given) => given.some((one) => one === null)));
  const ranges = [
    ...(gives.length > 0 ? [rangeOf(gives, surely, reduction.how)] : []),
    ...(canBeEmpty ? [{ low: 0, high: 0 }] : []),
  ];
  if (value === null ? canBeNull : ranges.some((range) => isWithin(value, range))) {
    return undefined;
  }
  const numbers = ranges.map(({ low, high }) => (low === high ? `${low}` : `between ${low} and ${high}`));
  return [...numbers, ...(canBeNull ? ['null'] : [])].join(' or ');
}

function isWithin(value: number, { low, high }: Range): boolean {
  const slack = ROUNDING * Math.max(Math.abs(low), Math.abs(high));
  return value >= low - slack && value <= high + slack;
}

function rangeOf(gives: Given[], surely: Given[], how: Reduction['how']): Range {
  const certain = surely.map(extremes);
  const perhaps = gives.filter((given) => !surely.includes(given)).map(extremes);
  const lowest = how === 'sum' ? lowestSum : lowestMean;
  const lows = (ranges: Range[]) => ranges.map(({ low }) => low);
  // What is highest is lowest of the opposite numbers.
  const opposites = (ranges: Range[]) => ranges.map(({ high }) => -high);
  return { low: lowest(lows(certain), lows(perhaps)), high: -lowest(opposites(certain), opposites(perhaps)) };
}

function extremes(given: Given): Range {
  const numbers = given.filter((one) => one !== null);
  return { low: Math.min(...numbers), high: Math.max(...numbers) };
}

/** Numbers that may be left out count where they lower the sum; at least one number makes a sum. */
function lowestSum(certain: number[], perhaps: number[]): number {
  const taken = [...certain, ...perhaps.filter((one) => one < 0)];
  return taken.length === 0 ? Math.min(...perhaps) : taken.reduce((sum, one) => sum + one, 0);
}

/** A number that may be left out lowers the mean as long as it is below it. */
function lowestMean(certain: number[], perhaps: number[]): number {
  let sum = certain.reduce((total, one) => total + one, 0);
  let count = certain.length;
  for (const one of [...perhaps].sort((a, b) => a - b)) {
    if (count > 0 && one >= sum / count) {
      break;
    }
    sum += one;
    count++;
  }
  return sum / count;
}
