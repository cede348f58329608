import { type Locator } from '@playwright/test';

import { type QueryParts } from '../../src/query/query';
import { selectors } from '../../src/selectors';
import { column, displayNames, type Frame, nextFrames } from './support/query';
import { expect, test } from './support/test';

const { query } = selectors;

interface Shown {
  /** Enough of the query to tell it apart. */
  parts: QueryParts;
  visualization: string;
  /** What is drawn where there is data. */
  drawn: (panel: Locator, frame: Frame) => Locator;
}

const line = (panel: Locator) => panel.locator('.u-over');
const bar = (panel: Locator, frame: Frame) => panel.getByText(displayNames(frame)[0]).first();

/** In an order in which each preset has to change the visualization of the one before, and none is left over from it. */
const presets: Record<string, Shown> = {
  'success-rate': {
    parts: { queryType: 'tasks', format: 'numeric', measure: 'successRate' },
    visualization: 'Bar gauge',
    drawn: bar,
  },
  'tasks-over-time': {
    parts: { queryType: 'tasks', format: 'timeseries', measure: 'tasks' },
    visualization: 'Time series',
    drawn: line,
  },
  'failed-tasks': {
    parts: { queryType: 'tasks', format: 'timeseries', measure: 'failedTasks' },
    visualization: 'Time series',
    drawn: line,
  },
  'failed-tasks-table': {
    parts: { queryType: 'tasks', timeField: 'dateLastModified', format: undefined },
    visualization: 'Table',
    drawn: (panel, frame) => panel.getByText(String(column(frame, 'activityLabel')[0]), { exact: true }).first(),
  },
  'rate-with-change': {
    parts: { queryType: 'tasks', format: 'numeric', measures: ['successRate', 'successRate.change', 'tasks'] },
    visualization: 'Table',
    drawn: (panel, frame) => panel.getByText(String(column(frame, 'activityLabel')[0]), { exact: true }),
  },
  'monthly-report': {
    parts: { queryType: 'tasks', format: 'numeric', days: 30, total: true },
    visualization: 'Table',
    drawn: (panel, frame) => panel.getByText(String(column(frame, 'activityLabel')[0]), { exact: true }),
  },
  'top-automations': {
    parts: { queryType: 'automations', limit: 10 },
    visualization: 'Table',
    drawn: (panel, frame) => panel.getByText(String(column(frame, 'label')[0]), { exact: true }),
  },
  'runner-utilization': {
    parts: { queryType: 'runners', format: 'numeric', measure: 'utilizationRate' },
    visualization: 'Bar gauge',
    drawn: bar,
  },
  'runner-timeline': {
    parts: { queryType: 'tasks', format: 'timeline' },
    visualization: 'State timeline',
    // The names of its bars.
    drawn: (panel) => panel.getByTestId(/^data-testid VizLegend series/).first(),
  },
};

test('each preset shows its data in a new panel', async ({ provisioned, panelEditPage, page }) => {
  test.slow();
  await panelEditPage.datasource.set(provisioned.name);
  await expect(page.getByTestId(query.measure)).toBeVisible();

  for (const [name, { parts, visualization, drawn }] of Object.entries(presets)) {
    const answer = nextFrames(panelEditPage, parts);
    await page.getByTestId(query.presets).click();
    await page.getByTestId(query.preset(name)).click();

    const [frame, ...lanes] = await answer;
    expect(lanes.length > 0, name).toBe(parts.format === 'timeline');
    await expect(page.getByTestId('data-testid Panel editor OptionsPane header'), name).toHaveText(visualization);
    await expect(drawn(panelEditPage.panel.locator, frame), name).toBeVisible();
    await expect(panelEditPage.panel.locator.getByText(/^No data$|missing a time field/), name).toBeHidden();
    await expect(page.getByTestId(query.reset)).toBeHidden();
    await expect(panelEditPage.panel.getErrorIcon()).toBeHidden();
  }
});

test('each preset shows its data in Explore', async ({ provisioned, explorePage, page }) => {
  test.slow();
  await explorePage.datasource.set(provisioned.name);
  await expect(page.getByTestId(query.presets)).toBeVisible();

  for (const [name, { parts }] of Object.entries(presets)) {
    const answer = nextFrames(explorePage, parts);
    await page.getByTestId(query.presets).click();
    await page.getByTestId(query.preset(name)).click();

    const names = displayNames((await answer)[0]);
    if (parts.format === 'timeseries') {
      await expect(explorePage.timeSeriesPanel.locator.locator('.u-over'), name).toBeVisible();
    } else {
      // Grafana draws the columns that fit.
      await expect(explorePage.tablePanel.fieldNames, name).toContainText(names.slice(0, 5));
    }
    await expect(page.getByText(/^No data$|missing a time field/), name).toBeHidden();
  }
});
