import type { DataQuery } from '@grafana/schema';

/** The tabs of the page, as they are labeled. */
export const tabs = ['Configure', 'Explore', 'Variable', 'Annotation'] as const;
export type TabName = (typeof tabs)[number];

/** What an address of the page opens. */
export interface Link {
  tab: TabName;
  /** A saved query to edit in this tab. Settings can't be in an address: somebody else's could get the key. */
  query?: Partial<DataQuery>;
}

/**
 * Reads the part of an address after "#", such as `tab=explore&query={"queryType":"runners"}`. Throws an error for a
 * query that is not a JSON object.
 */
export function readLink(hash: string): Link {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const tab = tabs.find((name) => name.toLowerCase() === parameters.get('tab')) ?? tabs[0];
  const text = parameters.get('query');
  if (text === null) {
    return { tab };
  }
  try {
    return { tab, query: { ...JSON.parse(text) } };
  } catch {
    throw new Error(`the query in the address is not JSON: ${text}`);
  }
}
