import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { resultsJson, valuesOf } from './backend/frames';
import { Backend } from './backend/host';
import { check } from './check';
import { openService, parseOptions, type Service } from './service';

let service: Service;
let backend: Backend;
before(async () => {
  service = await openService(parseOptions([], {}));
  backend = await Backend.start();
});
after(() => Promise.all([backend.stop(), service.close()]));

test('npm start -- --check: the health check and every data set of the simulator succeed', async () => {
  assert.ok(await check(backend, service.dataSource));
});

test('Due today of the workbench shows one that is done, and one that is late', async () => {
  const range = { from: Date.now() - 86_400_000, to: Date.now(), intervalMs: 60_000, maxDataPoints: 1_000 };
  const query = { refId: 'A', json: { queryType: 'tasks', format: 'deadlines' }, ...range };
  const { A: answer } = resultsJson(await backend.queryData(service.dataSource, [query]));
  const states = valuesOf(answer.frames[0], 'state');
  assert.ok(states.includes('done') && states.includes('late'), `${states}`);
});

test('another service gets its key only from the environment, and a wrong option is named', () => {
  const argv = ['--check', '--url', 'https://a.example', '--login', 'me', '--runners-path', '/r'];
  const { service } = parseOptions(argv, { INSIGHTS_KEY: 'k' });
  assert.deepEqual(service, { url: 'https://a.example', login: 'me', key: 'k', runnersPath: '/r' });
  for (const [wrong, says] of [
    [['--port', '70000'], /70000/],
    [['--login', 'me'], /--url/],
    [['--keys', 'k'], /--keys/],
  ] as const) {
    assert.throws(() => parseOptions([...wrong], {}), says);
  }
});
