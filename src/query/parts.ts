import { type Format, type QueryParts } from './query';

/** A part of a query. */
export type Part = keyof QueryParts;

interface Description {
  /** What it consists of, as in the backend: `Model` in pkg/query/query.go. */
  is: 'text' | 'texts' | 'number' | 'sort' | 'filters' | 'attention';
  /** The formats in which it has an effect; absent: all. */
  formats?: Format[];
  /** Where the query editor shows it, if not in a place of its own: beside the measure, or under More. */
  section?: 'measure' | 'more';
}

const measured: Format[] = ['numeric', 'timeseries'];

/** The parts of a query, in the order in which they are shown and named. None needs a time zone: it is saved by hand. */
export const parts = {
  queryType: { is: 'text' },
  format: { is: 'text' },
  columns: { is: 'texts', formats: ['table'] },
  measure: { is: 'text', formats: measured, section: 'measure' },
  measures: { is: 'texts', formats: measured, section: 'measure' },
  groupBy: { is: 'texts', formats: [...measured, 'timeline', 'attention'], section: 'measure' },
  state: { is: 'text', formats: ['timeline'], section: 'measure' },
  per: { is: 'text', formats: ['timeseries'], section: 'measure' },
  filters: { is: 'filters' },
  compare: { is: 'text', formats: measured, section: 'more' },
  days: { is: 'number', section: 'more' },
  search: { is: 'text', section: 'more' },
  sort: { is: 'sort', formats: ['table', ...measured], section: 'more' },
  limit: { is: 'number', section: 'more' },
  total: { is: 'text', formats: ['numeric'], section: 'more' },
  timeField: { is: 'text', formats: ['table', ...measured], section: 'more' },
  timezone: { is: 'text', formats: [], section: 'more' },
  attention: { is: 'attention', formats: ['attention'], section: 'more' },
} satisfies Record<Part, Description>;

export const partNames = Object.keys(parts) as Part[];

/** What is known of a part. */
export const describedAs = (part: Part): Description => parts[part];

type In<S> = { [P in Part]: (typeof parts)[P] extends { section: S } ? P : never }[Part];

/** The parts of a section of the editor, in its order. */
export const partsIn = <S extends 'measure' | 'more'>(section: S) =>
  partNames.filter((part) => describedAs(part).section === section) as Array<In<S>>;
