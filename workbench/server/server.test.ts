import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Hono } from 'hono';

import { DataSourceStore } from './data-source';
import { guard } from './listen';

const saved = () =>
  new DataSourceStore({
    ...{ uid: 'insights', name: 'Insights', url: 'http://a.example', jsonData: { login: 'me' }, updated: 1 },
    secureJsonData: { key: 'secret' },
  });

describe('settings in memory', () => {
  test('a browser sees that the key is set, but not the key', () => {
    const view = saved().view('insights-reporting-datasource');
    assert.deepEqual(view.secureJsonFields, { key: true });
    assert.doesNotMatch(JSON.stringify(view), /secret/);
  });

  test('an absent key is kept, a sent key replaces it, and an empty one clears it', () => {
    const store = saved();
    store.save({ url: 'http://b.example' });
    assert.equal(store.get().secureJsonData.key, 'secret');
    store.save({ secureJsonData: { key: 'other' } });
    assert.equal(store.get().secureJsonData.key, 'other');
    store.save({ secureJsonData: { key: '' } });
    assert.deepEqual(store.view('x').secureJsonFields, { key: false });
  });

  test('every save is newer than the previous one', () => {
    const store = saved();
    store.save({});
    const { updated } = store.get();
    store.save({});
    assert.ok(store.get().updated > updated);
  });
});

describe('access control', () => {
  const app = new Hono().use(guard).get('/', (context) => context.text('ok'));
  const status = async (headers: Record<string, string>) => (await app.request('/', { headers })).status;

  test('accepts the page itself', async () => {
    assert.equal(await status({ host: '127.0.0.1:8080' }), 200);
    assert.equal(await status({ host: 'localhost:8080', origin: 'http://localhost:8080' }), 200);
  });

  test('refuses any other page, under any name', async () => {
    assert.equal(await status({ host: 'evil.example' }), 403);
    assert.equal(await status({ host: '127.0.0.1:8080', origin: 'https://evil.example' }), 403);
    assert.equal(await status({ host: '127.0.0.1.evil.example:8080' }), 403);
    assert.equal(await status({}), 403);
  });
});
