import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { Reload } from './server/listen';
import { onceSettled } from './watch';

describe('watching sources', () => {
  test('a burst of changes is one build, and changes during it are another one', async () => {
    const running: number[] = [];
    let now = 0;
    const changed = onceSettled(async () => {
      now += 1;
      running.push(now);
      await sleep(400);
      now -= 1;
    });
    changed();
    changed();
    await sleep(350);
    changed();
    await sleep(1_500);
    assert.deepEqual(running, [1, 1]);
  });

  test('an open page is notified of a change, and a closed one is not', async () => {
    const reload = new Reload();
    const leave = new AbortController();
    const response = await reload.app.request('/changes', { signal: leave.signal });
    const reader = response.body!.getReader();
    await sleep(50);
    reload.now();
    const { value } = await reader.read();
    assert.match(new TextDecoder().decode(value), /data: changed/);
    await reader.cancel();
    reload.now();
  });
});
