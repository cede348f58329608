import { selectors } from '../../src/selectors';
import { type Frame } from './support/query';
import { expect, test } from './support/test';

const { query } = selectors;

interface Evaluation {
  results: Record<string, { frames: Frame[] }>;
}

test('a new alert rule queries the success rate of each automation, with one instance for each', async ({
  api,
  provisioned,
  alertRuleEditPage,
  page,
}) => {
  const row = await alertRuleEditPage.getQueryRow();
  await row.datasource.set(provisioned.name);

  await expect(page.getByTestId(query.dataSet)).toHaveValue('Automations');
  await expect(page.getByTestId(query.format).getByRole('radio', { name: 'Number' })).toBeChecked();
  await expect(page.getByTestId(query.measure)).toHaveValue('Success rate');
  await expect(page.getByTestId(query.measureHelp)).toContainText("the service's own number");
  await expect(page.getByTestId(query.more)).toHaveText('MoreLast days: 7');
  await expect(page.getByTestId(query.filterField(0))).toHaveValue('Tasks');
  await expect(page.getByTestId(query.conditionHelp)).toHaveText(
    /^The query currently returns [\d.]+( to [\d.]+)?; for 90%, enter 0\.9$/
  );

  // What is shown is also queried: a rule whose query was never edited must not fall back to a table.
  const evaluated = await alertRuleEditPage.evaluate();
  expect(evaluated.status(), await evaluated.text()).toBe(200);
  const { results }: Evaluation = await evaluated.json();
  const labels = results.C.frames.map(({ schema }) => schema.fields[0].labels?.label);
  expect(labels.sort()).toEqual([...(await api.automationNames(provisioned.uid, 1)).keys()].sort());
  await expect(page.getByText(/^(Firing|Normal)$/)).toHaveCount(labels.length);
});
