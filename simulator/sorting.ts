/** How a list is ordered. */
export interface SortOrder {
  field: string;
  order: 'asc' | 'desc';
}

/** A sorted copy. Equal rows keep the order that they came in, in either direction. */
export function sortRows<T extends Record<string, string | number | null>>(rows: T[], sort: SortOrder): T[] {
  const direction = sort.order === 'asc' ? 1 : -1;
  return rows
    .map((row) => ({ row, value: row[sort.field] ?? '' }))
    .sort((a, b) => (a.value < b.value ? -direction : a.value > b.value ? direction : 0))
    .map(({ row }) => row);
}
