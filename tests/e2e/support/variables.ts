import { type Locator, type Page } from '@playwright/test';

import { type Filter } from '../../../src/query/query';
import { type DataSetName } from '../../../schema/datasets';
import { sourceRef } from './dashboard';

interface VariableQuery {
  queryType: DataSetName;
  field: string;
  filters?: Filter[];
}

/** A query variable with multiple values and an All option, which is selected initially. */
export function variable(uid: string, name: string, query: VariableQuery): object {
  return {
    type: 'query',
    name,
    datasource: sourceRef(uid),
    query: { refId: 'variable', ...query },
    refresh: 1,
    multi: true,
    includeAll: true,
    current: { text: ['All'], value: ['$__all'] },
  };
}

export function adHocVariable(uid: string, name: string): object {
  return { type: 'adhoc', name, datasource: sourceRef(uid), filters: [] };
}

/** The combobox of a variable above a dashboard. */
export function variableInput(page: Page, name: string): Locator {
  const label = page.locator('label').filter({ hasText: new RegExp(`^${name}$`) });
  return page.getByTestId('data-testid template variable').filter({ has: label }).getByRole('combobox');
}

/** Selects these values of a variable instead of all. */
export async function chooseValues(page: Page, name: string, values: string[]): Promise<void> {
  await variableInput(page, name).click();
  for (const value of values) {
    await page.getByRole('option', { name: value, exact: true }).click();
  }
  await page.keyboard.press('Escape');
}
