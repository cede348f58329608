import { type Handler, text, withHostile } from '../grpc/support/hostile';
import { hourly, pageOf, type World, worlds } from '../grpc/support/incidents';
import { expect, test } from './support/test';

/** An automation that is as in a world, so many hours after its incident. */
function automation(label: string, name: string, hours: number): World {
  return { ...worlds.find((world) => world.name === name)!, label, said: [[hours]] };
}

const incidents = {
  orders: automation('orders', 'hourly: all FAILED', 2.3),
  intake: automation('intake', 'hourly: 0 items', 2.8),
  claims: { ...automation('claims', 'hourly stops', 9), runner: 'runner-2' },
  billing: automation('billing', 'hourly: no runner', 3.1),
  exports: automation('exports', 'hourly: 10 x slower', 5),
};
const reasons = { orders: 'failing', intake: 'empty', claims: 'silent', billing: 'waiting', exports: 'slow' };
/** What is said of each, and how many tasks the sentence leads to; of a silence, those of the two weeks before. */
const sentences: Record<string, [RegExp, number?]> = {
  orders: [/3 failures in a row since .*, 0% in the .* before \(0 of \d+\)/, 3],
  intake: [/tasks without items since .*, usually \d+ with items in/, 3],
  claims: [/no task for \d\d:\d\d:\d\d, usually \d+ in that time/],
  billing: [/has waited for 0\d:\d\d:\d\d, usually 00:01:00, \d in the queue/, 4],
  exports: [/run for|tasks slow since/, 1],
};

/** Three failures, and nothing since then: silence becomes the more urgent reason. */
const worse: World = {
  ...incidents.orders,
  then: (task) => (task.created < 3 * 3_600_000 ? { ...task, status: 'FAILED' } : undefined),
  said: [[12]],
};
const repaired = Object.keys(incidents).map((label): World => ({ name: label, label, times: hourly, said: [[0]] }));

test('the rule fires for each reason, stays while the worst reason changes, has no data of what can no longer be judged, and resolves after the repair', async ({
  api,
  createSource,
  copyRules,
  page,
}) => {
  const host = process.env.INCIDENTS_HOST;
  test.skip(!host, 'INCIDENTS_HOST is not set: Grafana must reach a service of this test');
  test.setTimeout(400_000);
  let listed = Object.values(incidents);
  let hidden = '';
  const tasks: Handler = (response) => text(response, withoutResults(pageOf(listed, Date.now()), hidden));
  const runners = ['runner-1', 'runner-2'].map((_id) => ({ _id, tasks: 700 }));
  const runner: Handler = (response) => text(response, JSON.stringify(runners));
  await withHostile(
    { tasks, runner },
    async (url) => {
      const { uid } = await createSource({ url, jsonData: { cacheTTL: 0, incrementalQuerying: false } });
      const [title] = await copyRules(uid, ['insights-attention']);
      const firing = async () =>
        (await api.instances(title))
          .filter(({ state }) => state === 'Alerting')
          .map(({ labels: { activityLabel, reason } }) => `${activityLabel}: ${reason}`)
          .sort();
      const all = Object.entries(reasons).map(([label, reason]) => `${label}: ${reason}`);
      const failing = async () => (await api.instances(title)).find(({ labels }) => labels.reason === 'failing');
      await expect.poll(firing, { timeout: 90_000 }).toEqual([...all].sort());
      const began = (await failing())?.activeAt;

      await page.goto(`/d/insights-operations?var-datasource=${uid}`);
      const attention = page.getByTestId('data-testid Panel header Needs attention');
      const runner = page.getByTestId('data-testid Panel header Robots');
      await expect(runner.getByRole('row').filter({ hasText: 'runner-2' })).toContainText('Quiet');
      const listedTasks = page.getByTestId('data-testid Panel header Tasks of the time range');
      for (const [label, [sentence, tasks]] of Object.entries(sentences)) {
        await attention.getByRole('link', { name: sentence }).click();
        const links = listedTasks.getByRole('link', { name: label, exact: true });
        await (tasks ? expect(links, label).toHaveCount(tasks) : expect(links.nth(5), label).toBeVisible());
        await page.goBack();
      }

      listed = listed.map((world) => (world === incidents.orders ? worse : world));
      await expect.poll(firing, { timeout: 90_000 }).toEqual([...all, 'orders: silent'].sort());
      expect((await failing())?.activeAt).toBe(began);

      listed = Object.values(incidents);
      hidden = 'orders';
      await expect.poll(async () => (await failing())?.state, { timeout: 90_000 }).toBe('NoData');
      expect(await firing()).toContain('intake: empty');

      hidden = '';
      listed = repaired;
      await expect.poll(firing, { timeout: 120_000 }).toEqual([]);
    },
    host
  );
});

/** A page of tasks on which those of an automation no longer show how they ended. */
function withoutResults(page: string, automation: string): string {
  const { content, ...rest } = JSON.parse(page) as { content: Array<{ activityLabel: string }> };
  const hide = (task: { activityLabel: string }) =>
    task.activityLabel === automation ? { ...task, finishStatus: null } : task;
  return JSON.stringify({ ...rest, content: content.map(hide) });
}
