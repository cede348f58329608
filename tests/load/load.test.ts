import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Run } from '../../workbench/load/run';

test('the built backend under load answers what the service has listed', { timeout: 400_000 }, async () => {
  const lines: string[] = [];
  const { faults, answers } = await Run.start(0.5, 1, (line) => lines.push(line));
  assert.deepEqual(faults, [], lines.join('\n'));
  assert.ok(answers.exact > 50 && answers.excused > 0, lines.join('\n'));
});
