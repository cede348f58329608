import { type Handler, type Task, tasksPage, text, withHostile } from '../grpc/support/hostile';
import { dashboard, panel } from './support/dashboard';
import { expect, test } from './support/test';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

test('a deadline is at risk, then late in the rule and on the board, and resolves once it is done', async ({
  api,
  createSource,
  createDashboard,
  copyRules,
  page,
}) => {
  const host = process.env.INCIDENTS_HOST;
  test.skip(!host, 'INCIDENTS_HOST is not set: Grafana must reach a service of this test');
  test.setTimeout(300_000);
  const now = Date.now();
  // A time zone in which it is between 12:00 and 13:00: "GMT+3" is west of Greenwich.
  const west = new Date(now).getUTCHours() - 12;
  const timezone = `Etc/GMT${west < 0 ? '' : '+'}${west}`;
  // Deadlines are whole minutes: Grafana has at least 45 seconds to see that it is at risk.
  const due = Math.ceil((now + 45_000) / minute) * minute;
  const by = new Date(due - west * hour).toISOString().slice(11, 16);
  const daily = Array.from({ length: 20 }, (_, days) => due - (days + 1) * day - hour);
  const runs: Task[] = ['payroll', 'invoices'].flatMap((activityLabel) =>
    daily.map((created) => ({ activityLabel, created }))
  );
  const today = due - hour;
  runs.push({ activityLabel: 'invoices', created: today });
  const tasks: Handler = (response) => text(response, tasksPage(runs));
  await withHostile(
    { tasks },
    async (url) => {
      const deadlines = ['payroll', 'invoices'].map((automation) => ({ automation, by, timezone }));
      const teams = [{ automation: 'pay*', team: 'HR' }];
      const { uid } = await createSource({
        url,
        jsonData: { cacheTTL: 0, incrementalQuerying: false, deadlines, teams },
      });
      const [title] = await copyRules(uid, ['insights-attention']);
      const instance = async () =>
        (await api.instances(title)).find(
          ({ labels: { activityLabel, reason } }) => reason === 'deadline' && activityLabel
        );
      /** Which automation, since when, and what the notification says. */
      const firing = async () => {
        const { state, labels, annotations, activeAt } = (await instance()) ?? {};
        return state === 'Alerting' ? [labels!.activityLabel, annotations!.description, activeAt] : [];
      };
      const severity = (n: number) => expect.stringContaining(`severity is ${n} of 3`);
      await expect.poll(firing, { timeout: 90_000 }).toEqual(['payroll', severity(2), expect.anything()]);
      expect(Date.now()).toBeLessThan(due);
      const [, , began] = await firing();
      expect((await instance())!.labels.team).toBe('HR');
      await expect.poll(firing, { timeout: 150_000 }).toEqual(['payroll', severity(3), began]);
      expect(Date.now()).toBeGreaterThan(due);

      const board = await createDashboard(dashboard([panel(uid, { queryType: 'tasks', format: 'deadlines' })]));
      await page.goto(`/d/${board}`);
      await expect(page.getByRole('row').filter({ hasText: 'payroll' })).toContainText('Late');
      await expect(page.getByRole('row').filter({ hasText: 'invoices' })).toContainText('Done');

      runs.push({ activityLabel: 'payroll', created: due - 20 * minute, ended: Date.now() });
      await expect.poll(firing, { timeout: 90_000 }).toEqual([]);
    },
    host
  );
});
