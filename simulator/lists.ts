import type { SimulatorOptions } from './options';
import { Random } from './random';
import type { Task } from './tasks';
import type { World } from './world';

/** One page of the tasks in a window. */
interface TaskPage {
  tasks: Task[];
  /** Number of tasks on all pages. */
  total: number;
}

/** The list of tasks in each of its orders. Only the unordered list requires a pass over all tasks, so it is cached. */
export class TaskLists {
  private kept: { key: string; tasks: Task[] } = { key: '', tasks: [] };

  constructor(private readonly world: World) {}

  page(days: number, order: SimulatorOptions['taskOrder'], page: PageRequest): TaskPage {
    const window = this.world.tasks(days);
    const { total } = window;
    const offset = page.number * page.size;
    switch (order) {
      case 'newest':
        return { tasks: window.slice(offset, page.size), total };
      case 'oldest': {
        const end = Math.max(0, total - offset);
        const start = Math.max(0, end - page.size);
        return { tasks: window.slice(start, end - start).reverse(), total };
      }
      case 'none':
        return { tasks: cut(this.shuffled(days), page), total };
    }
  }

  /** Each task has its own place, so that adding or removing one doesn't reorder the others. */
  private shuffled(days: number): Task[] {
    const key = `${this.world.version}/${days}`;
    if (this.kept.key !== key) {
      const placed: Array<{ task: Task; place: number }> = [];
      this.world.tasks(days).each((task) => {
        placed.push({ task, place: new Random(this.world.options.seed, 'place', task.id).unit() });
      });
      placed.sort((a, b) => a.place - b.place);
      this.kept = { key, tasks: placed.map(({ task }) => task) };
    }
    return this.kept.tasks;
  }
}

/** The specification's "Paged result envelope", which is a Spring Data page. */
export interface Envelope<T> {
  content: T[];
  number: number;
  size: number;
  totalElements: number;
  totalPages: number;
  numberOfElements: number;
  first: boolean;
  last: boolean;
  empty: boolean;
  sort: Sort;
  pageable: {
    pageNumber: number;
    pageSize: number;
    sort: Sort;
    offset: number;
    paged: boolean;
    unpaged: boolean;
  };
}

interface Sort {
  sorted: boolean;
  empty: boolean;
  unsorted: boolean;
}

/** The requested part of a list. */
export interface PageRequest {
  /** From 0. */
  number: number;
  /** Records per page, at least 1. */
  size: number;
}

/** Wraps one page of a sorted list. Beyond the end of the list, `content` is empty. */
export function envelope<T>(content: T[], totalElements: number, { number, size }: PageRequest): Envelope<T> {
  const totalPages = Math.ceil(totalElements / size);
  const sort = { sorted: true, empty: false, unsorted: false };
  return {
    content,
    number,
    size,
    totalElements,
    totalPages,
    numberOfElements: content.length,
    first: number === 0,
    last: number >= totalPages - 1,
    empty: content.length === 0,
    sort,
    pageable: { pageNumber: number, pageSize: size, sort, offset: number * size, paged: true, unpaged: false },
  };
}

/** The records of one page of a list. */
export function cut<T>(rows: T[], { number, size }: PageRequest): T[] {
  return rows.slice(number * size, (number + 1) * size);
}
