import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { startSimulator } from './index';
import { Client } from './testing';

/** Seconds by which the Date header of a response is ahead of this computer's clock. */
async function ahead(clockSkew?: number): Promise<number> {
  const simulator = await startSimulator({ tasksTotal: 1, clockSkew });
  try {
    const { headers } = await new Client(simulator.url).login();
    return (Date.parse(headers.get('date') ?? '') - Date.now()) / 1_000;
  } finally {
    await simulator.close();
  }
}

describe('the Date header', () => {
  for (const skew of [undefined, 3_600, -300]) {
    test(`with a skew of ${skew ?? 'none'}`, async () => {
      const off = (await ahead(skew)) - (skew ?? 0);
      assert.ok(Math.abs(off) < 30, `it is ${off} s off`);
    });
  }
});
