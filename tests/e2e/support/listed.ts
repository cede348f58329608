import { type AutomationRecord, type RunnerRecord, type TaskRecord } from '../../../simulator/reports';
import { Client, TASKS } from '../../../simulator/testing';
import { rowOf, type TaskRow } from '../../../workbench/reference';

export const DAY = 86_400_000;

/** What a frozen service lists, over the longest period that the tests look at. */
export class Listed {
  private constructor(
    /** Newest first. */
    readonly tasks: TaskRow[],
    private readonly automationsOf: Map<number, AutomationRecord[]>,
    private readonly runnersOf: Map<number, RunnerRecord[]>,
    /** Where the service's clock stands. */
    readonly frozen: number
  ) {}

  /** Reads all tasks of 100 days, and the totals of every window of up to that many days. */
  static async read(url: string, login: string, key: string, frozen: number): Promise<Listed> {
    const days = 100;
    const client = new Client(url);
    await client.login(login, key);
    const tasks = await listTasks(url, login, key, days);
    const automations = new Map<number, AutomationRecord[]>();
    const runners = new Map<number, RunnerRecord[]>();
    for (let n = 1; n <= days; n++) {
      automations.set(n, (await client.automations(`?filterBy=${n}&size=2000&sort=taskCount,asc`)).content);
      runners.set(n, await client.runners(`?filterBy=${n}`));
    }
    return new Listed(tasks, automations, runners, frozen);
  }

  /** Totals of the last days, by label; of 0 days, none. */
  automations(days: number): AutomationRecord[] {
    return [...this.rarest(days)].sort((a, b) => compare(a.label, b.label));
  }

  /** The same, those with the fewest tasks first, as the service sorts them. */
  rarest(days: number): AutomationRecord[] {
    return this.automationsOf.get(days) ?? [];
  }

  runners(days: number): RunnerRecord[] {
    return this.runnersOf.get(days) ?? [];
  }
}

/** The tasks of so many days, newest first. */
export async function listTasks(url: string, login: string, key: string, days: number): Promise<TaskRow[]> {
  const client = new Client(url);
  await client.login(login, key);
  return (await client.all<TaskRecord>(`${TASKS}?days=${days}&size=2000`)).map(
    (record) => rowOf('tasks', record) as unknown as TaskRow
  );
}

export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
