import { makeAutomations } from '../../../simulator/automations';
import { resolveOptions, type SimulatorOptions } from '../../../simulator/options';
import { dataSets, readAll, type ServiceRecord } from './reference';

/** What a task contributes to each measure, and to which row of the service. */
interface Addend {
  set: 'automations' | 'runners';
  row: (task: ServiceRecord) => unknown;
  adds: (task: ServiceRecord) => number;
}

const items = (name: string) => (task: ServiceRecord) => Number(task[name] ?? 0);

/** Cost of one hour of human work, as in the simulator. */
const hourly = 38;

/** The events that the service totals, from the tasks route, and plain sums over them. */
export class Events {
  private tasks: ServiceRecord[] = [];
  private readonly minutesPerItem: Map<string, number>;

  constructor(options: Partial<SimulatorOptions>) {
    const automations = makeAutomations(resolveOptions(options));
    this.minutesPerItem = new Map(automations.map(({ label, minutesPerItem }) => [label, minutesPerItem]));
  }

  async read(url: string, days: number): Promise<void> {
    this.tasks = await readAll(url, dataSets[0], days);
  }

  /** Measures that add up over time: an amount of money of automations, and a count of runners. */
  readonly measures: Record<string, Addend> = {
    savings: {
      set: 'automations',
      row: (task) => task.activityLabel,
      adds: (task) =>
        (items('processedItems')(task) * this.minutesPerItem.get(String(task.activityLabel))! * hourly) / 60,
    },
    tasks: { set: 'runners', row: (task) => task.machineId, adds: () => 1 },
  };

  /** What happened after one moment, up to another, by row; rows without events are absent. */
  sums(measure: string, after: number, upTo: number): Map<string, number> {
    const { row, adds } = this.measures[measure];
    const found = new Map<string, number>();
    for (const task of this.tasks) {
      const created = Date.parse(String(task.dateCreation));
      const label = row(task);
      if (created > after && created <= upTo && label !== null) {
        found.set(String(label), (found.get(String(label)) ?? 0) + adds(task));
      }
    }
    return found;
  }
}
