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
