/** What a row contributed to a number at each moment at which it counted; null: it counted and contributed nothing. */
export type Given = Array<number | null>;

/** How the numbers of rows are reduced to one. The sum of no rows is 0, unless `empty` is null. */
export interface Reduction {
  how: 'sum' | 'mean';
  empty: 'zero' | 'null';
}

interface Range {
  low: number;
  high: number;
}

/** Sums of decimals depend slightly on their order. */
const ROUNDING = 1e-9;

/**
 * Whether a number is possible for rows that are each as they were at one of the moments. With one moment, only the
 * correct number is.
 *
 * @param rows what each row contributed; a row with fewer values than moments was elsewhere, or absent, at the others
 * @param moments number of moments
 * @returns what would be correct, if the value is not
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
  // The highest value is the lowest of the negated numbers.
  const opposites = (ranges: Range[]) => ranges.map(({ high }) => -high);
  return { low: lowest(lows(certain), lows(perhaps)), high: -lowest(opposites(certain), opposites(perhaps)) };
}

function extremes(given: Given): Range {
  const numbers = given.filter((one) => one !== null);
  return { low: Math.min(...numbers), high: Math.max(...numbers) };
}

/** Optional numbers count if they lower the sum; a sum needs at least one number. */
function lowestSum(certain: number[], perhaps: number[]): number {
  const taken = [...certain, ...perhaps.filter((one) => one < 0)];
  return taken.length === 0 ? Math.min(...perhaps) : taken.reduce((sum, one) => sum + one, 0);
}

/** An optional number lowers the mean as long as it is below it. */
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
