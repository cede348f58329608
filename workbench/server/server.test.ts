import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Hono } from 'hono';

import { DataSourceStore } from './data-source';
import { guard } from './listen';

const saved = () =>
  new DataSourceStore({
    ...{ uid: 'insights', name: 'Insights', url: 'http://a.example', jsonData: { login: 'me' }, updated: 1 },
    secureJsonData: { key: 'secret' },
  });

test('a browser sees that the key is set, but not the key; an absent one is kept, and an empty one clears it', () => {
  const store = saved();
  const { updated } = store.get();
  assert.deepEqual(store.view('x').secureJsonFields, { key: true });
  assert.doesNotMatch(JSON.stringify(store.view('x')), /secret/);
  store.save({ url: 'http://b.example' });
  assert.equal(store.get().secureJsonData.key, 'secret');
  assert.ok(store.get().updated > updated, 'every save is newer than the one before');
  store.save({ secureJsonData: { key: '' } });
  assert.deepEqual(store.view('x').secureJsonFields, { key: false });
});

test('only the page itself gets an answer, by no other name', async () => {
  const app = new Hono().use(guard).get('/', (context) => context.text('ok'));
  const status = async (headers: Record<string, string>) => (await app.request('/', { headers })).status;
  assert.equal(await status({ host: '127.0.0.1:8080' }), 200);
  assert.equal(await status({ host: 'localhost:8080', origin: 'http://localhost:8080' }), 200);
  assert.equal(await status({ host: 'evil.example' }), 403);
  assert.equal(await status({ host: '127.0.0.1:8080', origin: 'https://evil.example' }), 403);
  assert.equal(await status({ host: '127.0.0.1.evil.example:8080' }), 403);
  assert.equal(await status({}), 403);
});
