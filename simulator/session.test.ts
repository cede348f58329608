import assert from 'node:assert/strict';
import { request } from 'node:http';

import { tokens } from './session';
import { simulated } from './simulated';
import { AUTOMATIONS, RUNNERS, TASKS } from './testing';

simulated('a wrong login or key is refused with a message', {}, async (client) => {
  for (const [login, key] of [
    ['demo', 'wrong'],
    ['wrong', 'demo-key'],
    ['', ''],
  ]) {
    const response = await client.login(login, key);
    assert.equal(response.status, 401);
    assert.deepEqual(await response.json(), { message: 'Invalid login or key' });
  }
});

simulated('data routes require a token of a login and its organization', { organization: 'globex' }, async (client) => {
  const { token, organization } = client.headers;
  assert.match(token, tokens);
  assert.equal(organization, 'globex');
  for (const path of [TASKS, AUTOMATIONS, RUNNERS]) {
    for (const [headers, status] of [
      [{}, 401],
      [{ organization }, 401],
      [{ token: 'unknown', organization }, 401],
      [{ token, organization: 'other' }, 403],
      [{ token }, 403],
      [{ token, organization }, 200],
    ] as const) {
      client.headers = { ...headers };
      const response = await client.get(path);
      assert.equal(response.status, status, `${path} ${Object.keys(headers)}`);
      const body = await response.json();
      assert.equal(typeof body.message, status === 200 ? 'undefined' : 'string');
    }
  }
});

simulated('tokens expire: all at once on request, each after its lifetime', {}, async (client) => {
  await client.send('POST', '/simulator/expire-tokens');
  assert.equal((await client.get(TASKS)).status, 401);
  await client.login();
  assert.equal((await client.get(TASKS)).status, 200);
});

simulated('a rotated key replaces the previous one and ends its sessions', {}, async (client) => {
  const response = await client.send('POST', '/simulator/key', { key: 'another-key' });
  assert.equal(response.status, 200);
  assert.ok(!(await response.text()).includes('another-key'));
  assert.equal((await client.get(TASKS)).status, 401);
  assert.equal((await client.login('demo', 'demo-key')).status, 401);
  assert.equal((await client.login('demo', 'another-key')).status, 200);
  assert.equal((await client.get(TASKS)).status, 200);
});

simulated('a request without User-Agent is refused', {}, async (client) => {
  const status = await new Promise((resolve) => {
    // fetch always sends a user agent.
    request(client.url + TASKS, { headers: client.headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  assert.equal(status, 403);
});
