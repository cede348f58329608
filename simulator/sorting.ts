/** How a list is ordered. */
export interface SortOrder {
  field: string;
  order: 'asc' | 'desc';
}

/** A sorted copy. Equal rows keep the order that they came in, in either direction. */
export function sortRows<T extends object>(rows: T[], { field, order }: SortOrder): T[] {
  const direction = order === 'asc' ? 1 : -1;
  const valueOf = (row: T): string | number => Object.entries(row).find(([name]) => name === field)?.[1] ?? '';
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .sort((a, b) => (a.value < b.value ? -direction : a.value > b.value ? direction : 0))
    .map(({ row }) => row);
}
