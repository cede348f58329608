import { AnnotationPage } from '@grafana/plugin-e2e';
import { type Locator, type Page } from '@playwright/test';

import { selectors } from '../../src/selectors';
import { dashboard, panel, sourceRef } from './support/dashboard';
import { expect, test } from './support/test';

const { query: annotation } = selectors;

function failedTasks(uid: string) {
  const filters = [{ key: 'finishStatus', operator: '=', value: 'FAILED' }];
  const target = { refId: 'Anno', queryType: 'tasks', filters, timeField: 'dateLastModified' };
  return { list: [{ name: 'Failed tasks', enable: true, iconColor: 'red', datasource: sourceRef(uid), target }] };
}

/** Hovers over the newest mark and returns its tooltip. */
async function pointAtMark(page: Page): Promise<Locator> {
  const mark = page.getByTestId('data-testid annotation-marker').last();
  await expect(mark).toBeVisible();
  await mark.hover();
  return page.getByText(/FAILED, on runner runner-\d+/);
}

test.describe('annotations', () => {
  test('mark failed tasks, with what failed and where', async ({ source, openDashboard, page }) => {
    const lines = panel(source, { queryType: 'tasks', format: 'timeseries', measure: 'tasks' }, { type: 'timeseries' });
    await openDashboard(dashboard([lines], { annotations: failedTasks(source) }));

    await expect(await pointAtMark(page)).toBeVisible();
    await expect(page.getByText('FINISHED', { exact: true })).toBeVisible();
    // Only Grafana's own annotations can be deleted.
    await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeHidden();
  });

  test('can be edited, and start with failed tasks', async ({
    provisioned,
    createDashboard,
    page,
    selectors: ofGrafana,
    grafanaVersion,
    request,
  }, testInfo) => {
    // On a dashboard whose range has failed tasks: in the default range of six hours, there may be none.
    const uid = await createDashboard(dashboard([]));
    const context = { page, selectors: ofGrafana, grafanaVersion, request, testInfo };
    const annotations = new AnnotationPage(context, { uid });
    await annotations.goto();
    const annotationEditPage = await annotations.clickAddNew();

    await annotationEditPage.datasource.set(provisioned.name);
    await expect(page.getByTestId(annotation.timeField)).toHaveValue('Last update');
    await expect(page.getByTestId(selectors.query.filterField(0))).toHaveValue('Outcome');
    await expect(page.getByTestId(selectors.query.filterValue(0))).toHaveValue('FAILED');

    await expect(annotationEditPage.runQuery()).toBeOK();
    await expect(page.getByText(/^\d+ events/)).toBeVisible();
  });
});
