import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { text } from './support/hostile';
import { dataSourceFor, frameOf, startPlugin, valuesOf } from './support/plugin';

const perPage = 20;

/** A service of so many pages, each of which takes long, or that does not answer. It counts the requests for each page. */
class SlowService {
  readonly asked = new Map<number, number>();
  isDown = false;
  private readonly server: Server;
  private readonly created = Date.now() - 3_600_000;

  constructor(
    private readonly pages: number,
    private readonly delay: number
  ) {
    this.server = createServer(({ url = '' }, response) => void this.answer(new URL(url, 'http://slow'), response));
  }

  start = () => new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }

  get url() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async answer({ pathname, searchParams }: URL, response: ServerResponse) {
    if (this.isDown) {
      response.destroy();
    } else if (pathname.endsWith('/login')) {
      text(response, '{"accessToken":"slow-token","organizationLabel":"slow"}');
    } else {
      const number = Number(searchParams.get('page'));
      this.asked.set(number, (this.asked.get(number) ?? 0) + 1);
      await setTimeout(this.delay);
      text(response, JSON.stringify(this.page(number)));
    }
  }

  private page(number: number) {
    const total = this.pages * perPage;
    const length = number < this.pages ? perPage : 0;
    const content = Array.from({ length }, (_, index) => this.task(total - number * perPage - index, total));
    return { content, number, size: perPage, totalElements: total, totalPages: this.pages, numberOfElements: length };
  }

  private task(id: number, total: number) {
    const at = new Date(this.created - (total - id) * 60_000).toISOString();
    const dates = { dateCreation: at, dateStartRunning: at, dateLastModified: at };
    return { id, state: 'FINISHED', finishStatus: 'SUCCESS', activityLabel: 'orders', machineId: '1', ...dates };
  }
}

describe('a service that takes long, or does not answer', () => {
  const plugin = startPlugin();
  const pages = 60;
  const service = new SlowService(pages, 800);
  before(() => service.start());
  after(() => service.close());
  const count = { format: 'numeric', measure: 'tasks', days: 30 };
  const counted = { format: 'attention', groupBy: ['dataSource'] };

  test('each query ends in time, says how far it has come, and the next one goes on from there', async () => {
    const source = dataSourceFor(service.url, { maxConcurrentRequests: 2, cacheTTL: 600 });
    let last = 0;
    for (;;) {
      const [number, listed] = await plugin.askAll(source, [count, counted]);
      if (number.error === undefined) {
        assert.deepEqual(frameOf(number).data.values, [[pages * perPage]]);
        break;
      }
      const [, page = ''] = /^page (\d+) of 60, ask again: the service takes long/.exec(number.error) ?? [];
      assert.ok(Number(page) > last, `${number.error} after page ${last}`);
      last = Number(page);
      assert.equal(number.status, 504);
      assert.deepEqual(valuesOf(listed.frames[0], 'noAnswer'), [`Page ${page} of 60, ask again`]);
      assert.equal(number.frames[0].schema.fields[0].config?.noValue, `Page ${page} of 60, ask again`);
    }
    assert.ok(last > 0, 'one query read all pages');
    const asked = [...service.asked.values()].reduce((sum, times) => sum + times, 0);
    assert.ok(asked < 3 * pages, `${asked} requests for ${pages} pages`);
  });

  test('what has failed says since when, the same time in each list, until a read succeeds', async () => {
    const source = dataSourceFor(service.url, { cacheTTL: 0, fullReadInterval: 0 });
    const since = async () => {
      const results = await plugin.askAll(source, [count, { ...counted, timezone: 'utc' }, { queryType: 'runners' }]);
      const times = results.map(({ error = '' }) => /\(no answer since \S+ (\d\d:\d\d) UTC\)$/.exec(error)?.[1]);
      assert.equal(new Set(times).size, 1, JSON.stringify(results.map(({ error }) => error)));
      assert.deepEqual(valuesOf(results[1].frames[0], 'noAnswer'), [`No answer since ${times[0]}`]);
      return times[0];
    };
    service.isDown = true;
    const first = await since();
    assert.ok(first);
    assert.equal(await since(), first);
  });
});
