import { Random } from '../../simulator/random';

/** A stream of random choices, named by a path: the same seed and path produce the same choices. */
export class Dice extends Random {
  /** A whole number from `from` to `to`, both inclusive. */
  int(from: number, to: number): number {
    return Math.floor(this.between(from, to + 1));
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.int(0, choices.length - 1)];
  }

  /** One of the choices, with probabilities proportional to their weights. */
  weighted<T>(choices: ReadonlyArray<readonly [weight: number, choice: T]>): T {
    let rest = this.unit() * choices.reduce((sum, [weight]) => sum + weight, 0);
    const found = choices.find(([weight]) => (rest -= weight) < 0);
    return (found ?? choices[0])[1];
  }
}
