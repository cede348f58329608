import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Cause, excusesOf } from './trouble';

const lasting: Cause = { name: 'truncate on automation', route: 'automation', says: /cut/ };
const passing: Cause = { name: 'status 502 on automation', route: 'automation', says: /502/, isPassing: true };
const delay: Cause = { name: 'delay on tasks', route: 'tasks', isPassing: true };
const rotation: Cause = { name: 'rotation 1 of the key', says: /check the login and key/ };

for (const [name, causes, excuses] of [
  ['no cause explains no error', [], []],
  ['a lasting fault explains an error', [lasting], [/cut/]],
  ['a transient fault does not', [passing], []],
  ['not even with a fault of another route', [passing, delay], []],
  ['nor with a rotation of the key', [passing, rotation], [/check the login and key/]],
  ['but it does after a fault of the same route', [lasting, passing], [/cut/, /502/]],
  ['and before one', [passing, lasting], [/502/, /cut/]],
] as Array<[string, Cause[], RegExp[]]>) {
  test(name, () => assert.deepEqual(excusesOf(causes), excuses));
}
