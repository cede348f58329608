/** The requested part of a list. */
export interface PageRequest {
  /** From 0. */
  number: number;
  /** Records per page, at least 1. */
  size: number;
}

/**
 * Wraps one page of a sorted list in the specification's "Paged result envelope", which is a Spring Data page. Beyond the end of
 * the list, `content` is empty.
 */
export function envelope<T>(content: T[], totalElements: number, { number, size }: PageRequest) {
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

export type Envelope<T> = ReturnType<typeof envelope<T>>;

/** The records of one page of a list. */
export function cut<T>(rows: T[], { number, size }: PageRequest): T[] {
  return rows.slice(number * size, (number + 1) * size);
}
