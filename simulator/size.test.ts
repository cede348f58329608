import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Envelope } from './envelope';
import type { SimulatorOptions } from './options';
import { AUTOMATIONS, type Client, RUNNERS, simulated, TASKS } from './testing';

const timeout = 60_000;
const many: Partial<SimulatorOptions> = {
  tasksTotal: 300,
  automations: 300,
  runners: 300,
  runnersShape: 'envelope',
};

/** Sizes of the second page of every route that has pages: reported, reported again, and of what it holds. */
async function pageSizes(client: Client, query: string): Promise<number[][]> {
  const pages = [TASKS, AUTOMATIONS, RUNNERS].map((path) => client.json<Envelope<object>>(`${path}?page=1${query}`));
  return (await Promise.all(pages)).map(({ size, pageable, content }) => [size, pageable.offset, content.length]);
}

for (const [name, options, query, expected] of [
  ['is ignored', {}, '&size=100', 20],
  ['is honored', { size: 'honored' }, '&size=100', 100],
  ['is honored for a smaller page', { size: 'honored' }, '&size=7', 7],
  ['gets no more than the largest page', { size: 'honored', maxPageSize: 50 }, '&size=2000', 50],
  ['may be absent where it is honored', { size: 'honored', maxPageSize: 50 }, '', 20],
  ['may be absent where it is refused', { size: 'refused' }, '', 20],
] as const) {
  test(
    `size ${name}`,
    { timeout },
    simulated({ ...many, ...options }, async (client) => {
      assert.deepEqual(await pageSizes(client, query), Array(3).fill([expected, expected, expected]));
    })
  );
}

test(
  'size is refused with a sentence',
  { timeout },
  simulated({ ...many, size: 'refused' }, async (client) => {
    for (const path of [TASKS, AUTOMATIONS, RUNNERS]) {
      const response = await client.get(`${path}?size=20`);
      assert.equal(response.status, 400);
      assert.deepEqual(await response.json(), { message: 'Parameter size is unknown' });
    }
  })
);

test(
  'size that is no number is refused where it counts',
  { timeout },
  simulated({ size: 'honored' }, async (client) => {
    for (const size of ['0', '-1', 'all']) {
      assert.equal((await client.get(`${TASKS}?size=${size}`)).status, 400);
    }
  })
);

test(
  'size is switched while the service runs',
  { timeout },
  simulated(many, async (client) => {
    const set = (body: object) => client.send('POST', '/simulator/size', body);
    const first = async () => (await client.tasks('?size=100')).content.length;
    assert.equal(await first(), 20);
    await set({ size: 'honored' });
    assert.equal(await first(), 100);
    await set({ size: 'honored', max: 40 });
    assert.equal(await first(), 40);
    await set({ size: 'refused' });
    assert.equal((await client.get(`${TASKS}?size=100`)).status, 400);
    for (const body of [{}, { size: 'maybe' }, { size: 'ignored', max: 0 }]) {
      assert.equal((await set(body)).status, 400);
    }
    assert.equal((await client.get(`${TASKS}?size=100`)).status, 400, 'a refused switch changes nothing');
  })
);
