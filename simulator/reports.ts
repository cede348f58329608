import { type AutomationRecord, automationRecord, type RunnerRecord, runnerRecord } from './records';
import { type SortOrder, sortRows } from './sorting';
import { type Sums, sumUp, type Totals } from './totals';
import type { World } from './world';

/** The automations and runners lists. They cost a walk over all tasks, so they are kept until time or a test changes the world. */
export class Reports {
  private readonly kept = new Map<string, unknown>();
  private version = '';

  constructor(private readonly world: World) {}

  automations(days: number, sort: SortOrder): AutomationRecord[] {
    return this.keep(`automations/${days}/${sort.field}/${sort.order}`, () =>
      sortRows(this.automationRows(days), sort)
    );
  }

  runners(days: number, sort: SortOrder): RunnerRecord[] {
    return this.keep(`runners/${days}/${sort.field}/${sort.order}`, () => sortRows(this.runnerRows(days), sort));
  }

  private automationRows(days: number): AutomationRecord[] {
    const { options, automations } = this.world;
    const sums = this.sums(days);
    return automations.flatMap((automation, i) =>
      this.world.lists(automation) && this.isListed(sums.automations[i])
        ? automationRecord(options, automation, sums.automations[i], sums.days)
        : []
    );
  }

  private runnerRows(days: number): RunnerRecord[] {
    const sums = this.sums(days);
    return sums.runners.flatMap((totals, index) =>
      this.isListed(totals) ? runnerRecord(this.world.options, index, totals, sums.days) : []
    );
  }

  private isListed({ tasks }: Totals): boolean {
    return this.world.options.listed === 'all' || tasks > 0;
  }

  private sums(days: number): Sums {
    return this.keep(`sums/${days}`, () => sumUp(this.world, days));
  }

  private keep<T>(key: string, make: () => T): T {
    if (this.version !== this.world.version) {
      this.kept.clear();
      this.version = this.world.version;
    }
    // A key always names values of one type: it starts with what they are.
    const value = (this.kept.get(key) as T | undefined) ?? make();
    this.kept.set(key, value);
    return value;
  }
}
