import { sortedLastIndex } from 'lodash';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * A stream of random numbers for one part of the world. Every part (an automation, a day) has its own stream, named by
 * its path, so that no part depends on which others were generated before it.
 */
export class Random {
  private readonly generator;

  constructor(seed: number, ...path: Array<string | number>) {
    this.generator = xoroshiro128plus(hash([seed, ...path].join('/')));
    // The generator's first numbers still correlate with its seed.
    for (let i = 0; i < 16; i++) {
      this.generator.next();
    }
  }

  /** At least 0, less than 1. */
  unit(): number {
    return uniformFloat64(this.generator);
  }

  /** At least `from`, less than `to`. */
  between(from: number, to: number): number {
    return from + this.unit() * (to - from);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** Zero or more, with this mean: many short ones and a few long ones. */
  waiting(mean: number): number {
    return -mean * Math.log(1 - this.unit());
  }
}

/** Draws an index with probabilities proportional to the weights. */
export class Wheel {
  private readonly sums: number[] = [];

  constructor(weights: number[]) {
    let sum = 0;
    for (const weight of weights) {
      this.sums.push((sum += weight));
    }
  }

  spin(random: Random): number {
    return Math.floor(this.at(random.unit()));
  }

  /** The place at a share of the weights, 0..1: an index and the part of its weight before the place. */
  at(share: number): number {
    const target = share * this.sums[this.sums.length - 1];
    const index = Math.min(sortedLastIndex(this.sums, target), this.sums.length - 1);
    const before = this.sums[index - 1] ?? 0;
    return index + (target - before) / (this.sums[index] - before);
  }

  /** The share of the weights that an index has, 0..1. */
  shareOf(index: number): number {
    return (this.sums[index] - (this.sums[index - 1] ?? 0)) / this.sums[this.sums.length - 1];
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return value;
}
