import type { Backend } from '../backend/host';
import { type Figure, readTasks, withBackend, withService } from './measures';
import type { MeasuredService } from './simulator';

const tasks = 10_000;
const latency = 20;

interface Cost {
  requests: number;
  ms: number;
}

async function read(backend: Backend, service: MeasuredService): Promise<Cost> {
  // Without a cache, so that every query reads from the service.
  const dataSource = { ...service.dataSource, jsonData: { ...service.dataSource.jsonData, cacheTTL: 0 } };
  const { ms } = await readTasks(backend, dataSource);
  return { requests: await service.takeRequests(), ms };
}

interface Scene {
  name: string;
  before: (service: MeasuredService) => Promise<unknown>;
  between?: (service: MeasuredService) => Promise<unknown>;
}

/** Eight tasks that haven't ended, as there are at any time. */
const queueEight = (service: MeasuredService) => service.control('churn', { n: 8 });

const scenes: Scene[] = [
  { name: 'nothing changed', before: queueEight },
  {
    name: '5 new, 4 ended',
    before: queueEight,
    between: async (service) => {
      for (const row of [0, 2, 4, 6]) {
        await service.control('tasks', { row, change: 'cancel' });
      }
      await service.control('churn', { n: 5 });
    },
  },
  { name: 'one stuck', before: (service) => service.control('tasks', { row: 7_000, change: 'stick' }) },
];

function refresh({ name, before, between }: Scene, title: string, ...options: string[]): Promise<Figure[]> {
  const scene = async (service: MeasuredService) => {
    await before(service);
    return withBackend(async (backend) => {
      const first = await read(backend, service);
      await between?.(service);
      const again = await read(backend, service);
      return [
        {
          name: `${title}, ${name}: requests ÷ first read`,
          value: again.requests / first.requests,
          detail: `${again.requests} ÷ ${first.requests} requests`,
        },
        {
          name: `   time ÷ first read`,
          value: again.ms / first.ms,
          detail: `${again.ms.toFixed(0)} ms ÷ ${first.ms.toFixed(0)} ms`,
        },
      ];
    });
  };
  return withService(tasks, latency, scene, ...options);
}

const honored = ['--size', 'honored', '--max-page-size', '1000'];

/** The cost of a refresh, compared with the first read, with pages of 20 and with pages of 500. */
export async function refreshes(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const scene of scenes) {
    figures.push(...(await refresh(scene, 'f. refresh, pages of 20')));
  }
  for (const scene of scenes) {
    figures.push(...(await refresh(scene, 'g. refresh, pages of 500', ...honored)));
  }
  return figures;
}

/** A first read if the service honors the page size, compared with one if it ignores it. */
export async function largerPages(): Promise<Figure[]> {
  const first = (...options: string[]) =>
    withService(tasks, latency, (service) => withBackend((backend) => read(backend, service)), ...options);
  const large = await first(...honored);
  const small = await first();
  return [
    {
      name: 'h. first read, pages of 500 ÷ pages of 20: time',
      value: large.ms / small.ms,
      detail: `${large.ms.toFixed(0)} ms ÷ ${small.ms.toFixed(0)} ms`,
    },
    {
      name: '   requests',
      value: large.requests / small.requests,
      detail: `${large.requests} ÷ ${small.requests}`,
    },
  ];
}
