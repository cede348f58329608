import type { Finding } from './check';

const shownSeeds = 3;

/** The findings by kind: one defect appears in many cases. */
export class Findings {
  private readonly kinds = new Map<string, { detail: string; seeds: number[]; times: number }>();

  get size(): number {
    return this.kinds.size;
  }

  /** Adds a finding of the case with this seed; without a seed, the case is unknown. */
  add({ kind, detail }: Finding, seed?: number): void {
    const known = this.kinds.get(kind) ?? { detail, seeds: [], times: 0 };
    known.times += 1;
    if (seed !== undefined && known.seeds.length < shownSeeds && !known.seeds.includes(seed)) {
      known.seeds.push(seed);
    }
    this.kinds.set(kind, known);
  }

  /** Prints a line per kind, with seeds that reproduce it. */
  print(): void {
    for (const [kind, { detail, seeds, times }] of this.kinds) {
      const shown = seeds.length > 0 ? `--seed ${seeds.join(', ')}` : 'any case';
      console.log(`finding: ${kind}, ${times} times (${shown}): ${detail.replaceAll(/\s+/g, ' ')}`);
    }
  }
}
