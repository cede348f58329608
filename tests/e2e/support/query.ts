import { type PanelEditPage } from '@grafana/plugin-e2e';
import { expect, type Locator, type Page, type Response } from '@playwright/test';

import { type InsightsQuery } from '../../../src/query';

/** A frame as Grafana's API gives it, as far as these tests read it. */
export interface Frame {
  schema: {
    fields: Array<{ name: string; type: string; labels?: Record<string, string> }>;
    meta?: {
      type?: string;
      executedQueryString?: string;
      notices?: Array<{ severity: string; text: string }>;
      stats?: Array<{ displayName: string; value: number }>;
    };
  };
  data: { values: unknown[][] };
}

interface Answer {
  results: Record<string, { status: number; error?: string; frames?: Frame[] }>;
}

type QueryingPage = Pick<PanelEditPage, 'waitForQueryDataResponseWithBody'>;

/** Waits for the next answer to a query that has these parts, and gives its frame. Begin to wait before you act. */
export async function nextFrame(page: QueryingPage, expected: Partial<InsightsQuery>, refId = 'A'): Promise<Frame> {
  const { body } = await page.waitForQueryDataResponseWithBody<Answer>((response, read) => {
    const query = askedQueries(response).find((asked) => asked.refId === refId);
    // An answer without a body is one that Grafana no longer waited for.
    return read !== null && query !== undefined && hasParts(query, expected);
  });
  const result = body?.results[refId];
  if (result?.frames?.length !== 1) {
    throw new Error(`Expected one frame, got ${JSON.stringify(body)?.slice(0, 500)}`);
  }
  return result.frames[0];
}

/** The queries that a response answers. */
export function askedQueries(response: Response): InsightsQuery[] {
  const asked: { queries: InsightsQuery[] } = response.request().postDataJSON();
  return asked.queries;
}

function hasParts(query: InsightsQuery, expected: Partial<InsightsQuery>): boolean {
  return Object.entries(expected).every(
    ([name, value]) => JSON.stringify(query[name as keyof InsightsQuery]) === JSON.stringify(value)
  );
}

export function namesOf({ schema }: Frame): string[] {
  return schema.fields.map(({ name }) => name);
}

/** The values of a field. */
export function column({ schema, data }: Frame, name: string): unknown[] {
  return data.values[schema.fields.findIndex((field) => field.name === name)] ?? [];
}

/** Chooses an option of a combobox by the beginning of its text. */
export async function choose(page: Page, testId: string, option: string): Promise<void> {
  await page.getByTestId(testId).click();
  await page.getByRole('option', { name: new RegExp(`^${option}\\b`) }).click();
}

/** Expects a notice at the corner of a panel, where it is read by pointing at it. */
export async function expectNotice(page: Page, panel: Locator, text: string): Promise<void> {
  await panel.getByTestId('icon-file-landscape-alt').first().hover();
  await expect(page.getByText(text)).toBeVisible();
}
