import { type PanelEditPage } from '@grafana/plugin-e2e';
import { expect, type Locator, type Page, type Response } from '@playwright/test';

import { type InsightsQuery } from '../../../src/query/query';
import { type FrameJson as Frame } from '../../../workbench/backend/frames';

export { type FrameJson as Frame, valuesOf as column } from '../../../workbench/backend/frames';

interface Answer {
  results: Record<string, { status: number; error?: string; frames?: Frame[] }>;
}

type QueryingPage = Pick<PanelEditPage, 'waitForQueryDataResponseWithBody'>;

/** Waits for the next response to a query with these properties, and returns its frame. */
export async function nextFrame(page: QueryingPage, expected: Partial<InsightsQuery>, refId = 'A'): Promise<Frame> {
  const frames = await nextFrames(page, expected, refId);
  if (frames.length !== 1) {
    throw new Error(`Expected one frame, got ${JSON.stringify(frames).slice(0, 500)}`);
  }
  return frames[0];
}

/**
 * Waits for the next response to a query with these properties, and returns its frames. Start to wait before you act.
 */
export async function nextFrames(page: QueryingPage, expected: Partial<InsightsQuery>, refId = 'A'): Promise<Frame[]> {
  const { body } = await page.waitForQueryDataResponseWithBody<Answer>((response, read) => {
    const query = askedQueries(response).find((asked) => asked.refId === refId);
    // Grafana no longer waited for a response without a body.
    return read !== null && query !== undefined && hasParts(query, expected);
  });
  const frames = body?.results[refId]?.frames;
  if (!frames?.length) {
    throw new Error(`Expected frames, got ${JSON.stringify(body)?.slice(0, 500)}`);
  }
  return frames;
}

/** The queries of a response. */
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

/** The names that panels show for the fields. */
export function displayNames({ schema }: Frame): string[] {
  return schema.fields.map(({ name, config }) => config?.displayNameFromDS ?? name);
}

/** Selects an option of a combobox by the beginning of its text, or by its name in the API. */
export async function choose(page: Page, testId: string, option: string): Promise<void> {
  await page.getByTestId(testId).click();
  await page.getByRole('option', { name: new RegExp(`^${option}\\b|\\b${option} · `) }).click();
}

/** The radio button of a data set. */
export function dataSetRadio(page: Page, testId: string, name: string): Locator {
  return page.getByTestId(testId).getByRole('radio', { name });
}

/** Expects a notice in the corner of a panel, which is read by hovering over it. */
export async function expectNotice(page: Page, panel: Locator, text: string): Promise<void> {
  await panel.getByTestId('icon-file-landscape-alt').first().hover();
  await expect(page.getByText(text)).toBeVisible();
}
