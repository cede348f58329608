import type { WorldRecord } from './world';

/** One page of a list. */
export interface Page {
  rows: WorldRecord[];
  number: number;
  size: number;
  total: number;
}

/** How a service wraps a page. All variants are truthful, but some are incomplete. */
export const envelopes: Record<string, (page: Page) => string> = {
  specified: (page) => text(full(page)),
  'content last': (page) => {
    const { content: rows, ...rest } = full(page);
    return text({ ...rest, content: rows });
  },
  nested: ({ rows, number, size, total }) =>
    text({ ...content(rows), page: { size, number, totalElements: total, totalPages: Math.ceil(total / size) } }),
  'last alone': (page) => text({ ...content(page.rows), last: isLast(page) }),
  'total alone': ({ rows, total }) => text({ ...content(rows), totalElements: total }),
  'pages alone': ({ rows, total, size }) => text({ ...content(rows), totalPages: Math.ceil(total / size) }),
  'content alone': ({ rows }) => text(content(rows)),
  nulls: (page) => text({ ...full(page), size: null, totalElements: null, number: null }),
  decimals: (page) => text(full(page)).replace(/("(?:size|totalElements|totalPages)":\d+)/g, '$1.0'),
  'a size that is not so': (page) => text({ ...full(page), size: 1000 }),
};

/** The names of all envelopes. */
export const envelopeNames = Object.keys(envelopes);

const text = (value: object) => JSON.stringify(value);
const content = (rows: WorldRecord[]) => ({ content: rows });
const isLast = ({ number, size, total }: Page) => (number + 1) * size >= total;

function full(page: Page) {
  const { rows, number, size, total } = page;
  return {
    content: rows,
    number,
    size,
    totalElements: total,
    totalPages: Math.ceil(total / size),
    numberOfElements: rows.length,
    first: number === 0,
    last: isLast(page),
    empty: rows.length === 0,
    pageable: { pageNumber: number, pageSize: size, offset: number * size, paged: true, unpaged: false },
  };
}
