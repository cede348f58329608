import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import type { DataSource } from '../../workbench/backend/wire';
import { credentials, withHostile, type Handler, type Hostile } from './support/hostile';
import { envelope, json, pagesOf, tasks, text, type Row } from './support/answers';
import { ask, askWithin, valuesOf } from './support/ask';
import { dataSourceFor, frameOf, rowsOf, startPlugin, type Plugin } from './support/plugin';

const query = { queryType: 'tasks', days: 30 };
const maxConcurrentRequests = 8;

/** Returns a page after a delay, like a service on a network. */
const slowPages =
  (rows: Row[], ms: number): Handler =>
  async ({ page }, response) => {
    await sleep(ms);
    json(response, envelope(rows, page));
  };

/** The data requests, for any data set, that arrived in a span of time. */
const dataBetween = (service: Hostile, from: number, to: number) =>
  service.requests.filter(({ route, at }) => route !== 'login' && at > from && at < to);

/** Sends a query every second, as dashboards do, and returns the times of the logins. */
async function refresh(
  plugin: Plugin,
  service: Hostile,
  seconds: number,
  json: object[],
  cacheTTL = 0
): Promise<number> {
  const dataSource = dataSourceFor(service.url, { cacheTTL });
  for (let second = 0; second < seconds; second += 1) {
    await plugin.askAll(dataSource, json as Array<Record<string, unknown>>);
    await sleep(1_000);
  }
  return service.of('login').length;
}

// Concurrently: most of the time is waiting.
describe('q, r, u. pauses and logins', { concurrency: true }, () => {
  const plugin = startPlugin();

  for (const status of [429, 503]) {
    test(`q. Retry-After on one page of 100 (${status}): nothing else is requested while it lasts`, async (t) => {
      const rows = tasks(1, 2_000);
      let refusedAt = 0;
      const handler: Handler = async (request, response) => {
        if (request.page === 37 && refusedAt === 0) {
          refusedAt = performance.now();
          response.setHeader('retry-after', '2');
          return json(response, { message: 'not so fast' }, status);
        }
        await slowPages(rows, 20)(request, response);
      };
      await withHostile({ tasks: handler, automation: pagesOf([{ label: 'a' }]) }, async (service) => {
        const dataSource = dataSourceFor(service.url, { maxConcurrentRequests });
        const reading = ask(plugin, dataSource, query);
        while (refusedAt === 0) {
          await sleep(5);
        }
        await sleep(300);
        // Another query to the same service must wait, too.
        const other = ask(plugin, dataSource, { queryType: 'automations', days: 3 });
        const frame = frameOf(await reading);
        frameOf(await other);
        const during = dataBetween(service, refusedAt, refusedAt + 1_900);
        t.diagnostic(
          `${during.length} requests in the pause, ${during.filter(({ route }) => route === 'automation').length} of them of another query`
        );
        assert.deepEqual(
          valuesOf(frame, 'id'),
          rows.map(({ id }) => id)
        );
        assert.ok(during.length <= maxConcurrentRequests, `${during.length} requests in the pause`);
        assert.deepEqual(
          during.filter(({ at }) => at > refusedAt + 250),
          [],
          'only what was already in flight'
        );
      });
    });
  }

  test('q. a caller that waits in a pause can leave', async () => {
    const handler: Handler = (_, response) => {
      response.setHeader('retry-after', '20');
      json(response, { message: 'not so fast' }, 429);
    };
    await withHostile({ tasks: handler }, async (service) => {
      const started = performance.now();
      await askWithin(plugin, dataSourceFor(service.url), query, 1_000).catch(() => undefined);
      assert.ok(performance.now() - started < 3_000);
      assert.ok(service.of('tasks').length <= 1);
    });
  });

  const forbidden: Handler = (_, response) => json(response, { message: 'not for you' }, 403);

  test('r. one route permanently forbidden, another one not: at most two logins in 25 s', async (t) => {
    await withHostile({ tasks: forbidden, automation: pagesOf([{ label: 'a' }]) }, async (service) => {
      const both = [query, { queryType: 'automations', days: 30 }];
      const logins = await refresh(plugin, service, 24, both);
      t.diagnostic(`${logins} logins, ${service.of('tasks').length} requests of the forbidden route`);
      assert.ok(logins <= 2, `${logins} logins`);
    });
  });

  test('r. the only route permanently forbidden: at most two logins in 25 s', async (t) => {
    await withHostile({ tasks: forbidden }, async (service) => {
      const logins = await refresh(plugin, service, 24, [query]);
      t.diagnostic(`${logins} logins, ${service.of('tasks').length} requests of the forbidden route`);
      assert.ok(logins <= 2, `${logins} logins`);
    });
  });

  for (const status of [401, 403]) {
    test(`r. an expired token is renewed if the service reports it with a ${status}`, async () => {
      let valid = 0;
      const login: Handler = (_, response) => json(response, { ...credentials, accessToken: `token-${(valid += 1)}` });
      const guarded: Handler = (request, response) =>
        request.token === `token-${valid}`
          ? pagesOf(tasks(1, 60))(request, response)
          : json(response, { message: 'expired' }, status);
      await withHostile({ login, tasks: guarded, automation: guarded }, async (service) => {
        const dataSource = dataSourceFor(service.url, { cacheTTL: 0 });
        for (let round = 1; round <= 3; round += 1) {
          for (const queryType of ['tasks', 'automations', 'tasks']) {
            frameOf(await ask(plugin, dataSource, { queryType, days: 1 }));
          }
          assert.equal(service.of('login').length, round);
          // Every token so far is invalid now; the next login returns a new one.
          valid += 100;
        }
      });
    });
  }

  const twenty = Array.from({ length: 20 }, (_, index) => ({ queryType: 'tasks', days: index + 1 }));
  const html = (status: number) => (_: unknown, response: ServerResponse) =>
    text(response, '<html><body>Sign in</body></html>', status, 'text/html');
  for (const [what, login, most] of [
    ['an HTML page', html(200), 2],
    ['JSON without a token', (_: unknown, response: ServerResponse) => json(response, { ok: true }), 2],
    ['nothing', (_: unknown, response: ServerResponse) => text(response, ''), 2],
    ['a 500', html(500), 2],
    // One login makes four attempts if the service indicates a transient error.
    ['a 502', html(502), 8],
    ['a 503', html(503), 8],
  ] as const) {
    test(`u. a login that is answered with ${what}: not repeated by every panel`, async (t) => {
      await withHostile({ login }, async (service) => {
        const dataSource = dataSourceFor(service.url, { cacheTTL: 0 });
        const started = performance.now();
        while (performance.now() - started < 9_000) {
          for (const { error, errorSource } of await plugin.askAll(dataSource, twenty)) {
            assert.match(error ?? '', /login/i);
            assert.equal(errorSource, 'downstream');
          }
          await sleep(1_000);
        }
        const logins = service.of('login').length;
        t.diagnostic(`${logins} requests of the login route in 10 s`);
        assert.ok(logins <= most, `${logins} requests`);
        assert.equal(service.of('tasks').length, 0);
      });
    });
  }

  test('u. a login that works again is retried soon', async () => {
    let broken = true;
    const login: Handler = (request, response) => (broken ? html(200)(request, response) : json(response, credentials));
    await withHostile({ login, tasks: pagesOf(tasks(1, 3)) }, async (service) => {
      const dataSource = dataSourceFor(service.url, { cacheTTL: 0 });
      assert.ok((await ask(plugin, dataSource, query)).error);
      broken = false;
      await sleep(12_000);
      assert.equal(rowsOf(frameOf(await ask(plugin, dataSource, query))), 3);
    });
  });
});

describe('s. a login that invalidates the previous token', () => {
  const servers = [startPlugin(), startPlugin()];
  const rounds = 6;

  test(`two servers read 400 rows at the same time, ${rounds} times: both have all of them`, async (t) => {
    let valid = 0;
    const wayMs = 10;
    // The network takes time in both directions, so a token can be invalid before it arrives.
    const login: Handler = async (_, response) => {
      await sleep(wayMs);
      const accessToken = `token-${(valid += 1)}`;
      await sleep(wayMs);
      json(response, { ...credentials, accessToken });
    };
    const guarded: Handler = async (request, response) => {
      await sleep(wayMs);
      const known = request.token === `token-${valid}`;
      await sleep(wayMs);
      return known
        ? json(response, envelope(tasks(1, 400), request.page))
        : json(response, { message: 'expired' }, 401);
    };
    await withHostile({ login, tasks: guarded }, async (service) => {
      const sources: DataSource[] = servers.map(() =>
        dataSourceFor(service.url, { cacheTTL: 0, maxConcurrentRequests: 4 })
      );
      const failures: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const answers = await Promise.all(servers.map((server, index) => ask(server, sources[index], query)));
        failures.push(...answers.flatMap(({ error }) => error ?? []));
        answers.filter(({ error }) => !error).forEach((answer) => assert.equal(rowsOf(frameOf(answer)), 400));
      }
      t.diagnostic(`${failures.length} of ${2 * rounds} reads failed, ${service.of('login').length} logins`);
      assert.deepEqual(failures, []);
    });
  });
});
