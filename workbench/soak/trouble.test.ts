import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Cause, excusesOf } from './trouble';

const lasting: Cause = { name: 'truncate on automation', route: 'automation', says: /cut/ };
const transient: Cause = { name: 'status 502 on automation', route: 'automation', says: /502/, isTransient: true };
const delay: Cause = { name: 'delay on tasks', route: 'tasks', isTransient: true };
const rotation: Cause = { name: 'rotation 1 of the key', says: /check the login and key/ };

for (const [name, causes, excuses] of [
  ['no cause explains no error', [], []],
  ['a lasting fault explains an error', [lasting], [/cut/]],
  ['a transient fault does not', [transient], []],
  ['not even with a fault of another route', [transient, delay], []],
  ['nor with a rotation of the key', [transient, rotation], [/check the login and key/]],
  ['but it does after a fault of the same route', [lasting, transient], [/cut/, /502/]],
  ['and before one', [transient, lasting], [/502/, /cut/]],
] as Array<[string, Cause[], RegExp[]]>) {
  test(name, () => assert.deepEqual(excusesOf(causes), excuses));
}
