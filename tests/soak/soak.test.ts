import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Backend } from '../../workbench/backend/host';
import { Asker, CACHE_TTL } from '../../workbench/soak/asker';
import { rules } from '../../workbench/soak/plan';
import { Reference } from '../../workbench/soak/reference';
import { LEAST_MINUTES } from '../../workbench/soak/options';
import { soak } from '../../workbench/soak/run';
import { SoakService, soakWorld } from '../../workbench/soak/service';
import { Tally } from '../../workbench/soak/tally';

/** Short reads: everything fits into half a minute of a busy machine. */
const small = { seed: 1, tasksPerDay: 150 };

describe('the built backend under load', () => {
  test('the short soak test is sound', { timeout: 300_000 }, async () => {
    const lines: string[] = [];
    const { faults } = await soak({ minutes: LEAST_MINUTES, ...small }, (line) => lines.push(line));
    assert.deepEqual(faults, [], lines.join('\n'));
    assert.ok(lines.length > 3, 'it reports its progress');
  });

  test('detects a service that differs from the reference', { timeout: 120_000 }, async () => {
    const tally = new Tally();
    const service = await SoakService.start(soakWorld(small));
    const backend = await Backend.start();
    try {
      const jsonData = { login: 'demo', cacheTTL: CACHE_TTL };
      const source = { uid: 'other', name: 'Other', url: service.url, jsonData, updated: 1 };
      const asker = new Asker(backend, service, new Reference(soakWorld({ ...small, seed: 2 })), tally, {
        ...source,
        secureJsonData: { key: 'demo-key' },
      });
      await asker.ask(rules(1, 10));
      assert.equal(tally.outcomes.wrong, 10, tally.complaints.join('\n'));
    } finally {
      await backend.stop();
      await service.close();
    }
  });
});
