import type { Backend } from '../backend/host';
import type { DataSource } from '../backend/wire';
import { type Figure, withBackend, withService } from './measures';
import { frozen, type MeasuredService } from './simulator';

const tasks = 10_000;
const latency = 20;
const now = Date.parse(frozen);

interface Cost {
  requests: number;
  ms: number;
}

/** Asks for the tasks of several ranges that end now, each of a number of days, at once; undefined is the window of 30 days. */
async function ask(
  backend: Backend,
  service: MeasuredService,
  days: Array<number | undefined>,
  jsonData: object = {}
): Promise<Cost> {
  const dataSource: DataSource = { ...service.dataSource, jsonData: { ...service.dataSource.jsonData, ...jsonData } };
  const query = (range: number | undefined, index: number) => ({
    refId: `Q${index}`,
    json: { queryType: 'tasks', format: 'numeric', measure: 'tasks', ...(range === undefined && { days: 30 }) },
    from: now - (range ?? 30) * 86_400_000,
    to: now,
    intervalMs: 60_000,
    maxDataPoints: 1_000,
  });
  const started = performance.now();
  const answers = await backend.queryData(dataSource, days.map(query));
  const ms = performance.now() - started;
  for (const { error } of Object.values(answers)) {
    if (error) {
      throw new Error(error);
    }
  }
  return { requests: await service.takeRequests(), ms };
}

const fresh = { cacheTTL: 0 };

function ratios(name: string, one: Cost, other: Cost): Figure[] {
  return [
    {
      name: `${name}: requests`,
      value: one.requests / other.requests,
      detail: `${one.requests} ÷ ${other.requests} requests`,
    },
    { name: '   time', value: one.ms / other.ms, detail: `${one.ms.toFixed(0)} ms ÷ ${other.ms.toFixed(0)} ms` },
  ];
}

const scene = (work: (backend: Backend, service: MeasuredService) => Promise<Figure[]>) =>
  withService(tasks, latency, (service) => withBackend((backend) => work(backend, service)));

/** Tasks as one list: what its sharing, mending, and background check cost, compared with a whole read. */
export async function oneList(): Promise<Figure[]> {
  const whole = await withService(tasks, latency, (service) =>
    withBackend((backend) => ask(backend, service, [30], fresh))
  );
  return [
    ...(await scene(async (backend, service) =>
      ratios('j. four ranges at once ÷ the longest alone', await ask(backend, service, [1, 7, 14, 30], fresh), whole)
    )),
    ...(await scene(async (backend, service) => {
      const long = await ask(backend, service, [30]);
      return ratios('k. 1 day after 30 days ÷ the 30 days', await ask(backend, service, [1]), long);
    })),
    ...(await scene(async (backend, service) => {
      const first = await ask(backend, service, [30], fresh);
      await service.control('tasks', { row: 5_000, change: 'remove' });
      return ratios(
        'l. refresh after a deletion in the middle ÷ first read',
        await ask(backend, service, [30], fresh),
        first
      );
    })),
    ...(await scene(async (backend, service) => {
      const first = await ask(backend, service, [30], fresh);
      const rules: Cost = { requests: 0, ms: 0 };
      for (let rule = 0; rule < 10; rule++) {
        const cost = await ask(backend, service, [1 + rule], fresh);
        rules.requests += cost.requests;
        rules.ms += cost.ms;
      }
      return ratios('m. ten rules, one after the other, without a cache ÷ first read', rules, first);
    })),
    ...(await scene(async (backend, service) => {
      const audited = { cacheTTL: 0, fullReadInterval: 1 };
      const first = await ask(backend, service, [30], audited);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await ask(backend, service, [30], audited); // starts the full read in the background
      const during = await ask(backend, service, [30], audited);
      return [
        {
          ...ratios('', during, first)[1],
          name: 'n. refresh during the full read in the background ÷ first read: time',
        },
      ];
    })),
  ];
}
