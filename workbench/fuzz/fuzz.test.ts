import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FrameJson } from '../backend/frames';
import { makeCase, pageOf, type Case } from './case';
import { checkResult, checkText } from './check';
import { Dice } from './dice';
import { envelopeNames } from './envelopes';
import { endings, rowsOf, saysMore } from './plain';
import type { CaseQuery } from './queries';
import { makeSecrets, secretAt, written } from './secrets';
import type { Played } from './service';

const many = Array.from({ length: 300 }, (_, seed) => seed);

describe('a case', () => {
  test('is determined by its seed', () => {
    assert.deepEqual(makeCase(7), makeCase(7));
    assert.notDeepEqual(makeCase(7), makeCase(8));
  });

  test('returns the same page for every request', () => {
    for (const seed of many) {
      const of = makeCase(seed);
      assert.deepEqual(pageOf(of, 'tasks', 1, 500), pageOf(of, 'tasks', 1, 500));
    }
  });

  test('uses different days for each query, so that the service can distinguish them', () => {
    for (const seed of many) {
      const days = makeCase(seed).queries.map((query) => query.days);
      assert.equal(new Set(days).size, days.length);
    }
  });

  test('uses every envelope, spoiled pages, and faults', () => {
    const cases = many.map(makeCase);
    assert.deepEqual(new Set(cases.map(({ envelope }) => envelope.tasks)), new Set([...envelopeNames, 'bare']));
    assert.ok(cases.some(({ spoils, faults }) => spoils > 0 && faults > 0));
    assert.ok(cases.some(({ spoils, faults }) => spoils === 0 && faults === 0));
  });
});

test('a secret is found in a text in every form that the service uses', () => {
  for (const seed of many) {
    const dice = new Dice(seed, 'test');
    const { key, token } = makeSecrets(dice);
    for (const secret of [key, token]) {
      const text = `the service said ${written(secret, dice)}`;
      assert.ok(secretAt(text) > 0, text);
      assert.equal(checkText('an error', text).length, 1);
    }
  }
  assert.deepEqual(checkText('an error', 'the service rejected the login: key [secret] is not welcome'), []);
});

test('a text that shows a defect is found', () => {
  for (const text of [
    'panic: x',
    'runtime error: index out of range',
    'An unexpected error happened',
    'internal error',
  ]) {
    assert.equal(checkText('the log', text).length, 1, text);
  }
  assert.deepEqual(checkText('an error', '/api returned 500 Internal Server Error'), []);
});

describe('a response', () => {
  const query: CaseQuery = { set: 'runners', days: 1, json: {}, expects: 'rows' };
  const world = [
    { _id: 'a', tasks: 1 },
    { _id: 'b', tasks: null },
  ];

  function played(body: unknown, isTrue: boolean): Played {
    const of: Case = { ...makeCase(1), world: { runners: world } };
    const sent = { number: 0, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), isTrue };
    return { of, requests: new Map(), pages: new Map([['runners 1', new Map([[0, sent]])]]) };
  }

  function table(columns: Record<string, unknown[]>, ...notices: string[]) {
    const all: Record<string, unknown[]> = { _id: [], tasks: [], items: [], itemsErrorCount: [], utilizationRate: [] };
    const rows = Object.values(columns)[0].length;
    Object.keys(all).forEach((name) => (all[name] = columns[name] ?? Array(rows).fill(null)));
    const fields = Object.keys(all).map((name) => ({ name, type: 'string' as const, typeInfo: { frame: 'string' } }));
    const meta = { notices: notices.map((text) => ({ text })) };
    const frame: FrameJson = { schema: { fields, meta }, data: { values: Object.values(all) } };
    return { status: 200, frames: [frame] };
  }

  const kinds = (of: Played, result: Parameters<typeof checkResult>[2]) =>
    checkResult(of, query, result).map(({ kind }) => kind);
  const right = { _id: ['a', 'b'], tasks: [1, null] };

  test('is not reported if it is correct', () => {
    assert.deepEqual(kinds(played(world, true), table(right)), []);
  });

  test('is reported if rows are lost or wrong without a notice', () => {
    for (const wrong of [
      { _id: ['a'], tasks: [1] },
      { ...right, tasks: [1, 0] },
    ]) {
      assert.match(kinds(played(world, true), table(wrong))[0], /without a notice \(true pages.*wrong rows/);
      assert.deepEqual(kinds(played(world, true), table(wrong, 'rows are missing')), []);
    }
  });

  test('is compared with what was sent, if the page was spoiled', () => {
    const sent = [{ _id: 'a', tasks: 1 }];
    assert.deepEqual(kinds(played(sent, false), table({ _id: ['a'], tasks: [1] })), []);
    assert.match(kinds(played(sent, false), table(right))[0], /spoiled pages/);
    assert.match(kinds(played([{ _id: 'a', tasks: 'x' }], false), table({ _id: ['a'] }))[0], /wrong rows/);
    assert.match(kinds(played('[{"_id":', false), table({ _id: [] }))[0], /unreadable page/);
    assert.match(
      kinds(played({ content: sent, last: false }, false), table({ _id: ['a'], tasks: [1] }))[0],
      /fewer rows/
    );
  });

  test('ends where a list ends: extra pages that were requested just in case can be ignored', () => {
    const pages = (...bodies: string[]) =>
      bodies.map((body, number) => ({ number, body: Buffer.from(body), isTrue: false }));
    const counts = (...bodies: string[]) =>
      endings('runners', pages(...bodies)).map((readings) => rowsOf(readings).length);
    assert.deepEqual(counts('[{"_id":"a"}]', '{"content":[]}', '{'), [1]);
    assert.deepEqual(counts('[{"_id":"a"}]', '[{"_id":"a"}]', '[{"_id":"b"}]'), [2, 3]);
    assert.deepEqual(counts('{"content":[{"_id":"a"}],"last":true}', '[{"_id":"b"}]'), [1, 2]);
    assert.deepEqual(counts('[{"_id":"a"}]', '{'), []);
  });

  test("is reported if it has fewer rows than the service says, and the service's count is credible", () => {
    const says = (members: Record<string, unknown>) => saysMore([{ rows: [{ _id: 'a' }], envelope: members }]);
    for (const more of [{ totalElements: 2 }, { totalPages: 2 }, { last: false }, { page: { totalElements: 2 } }]) {
      assert.ok(says(more), JSON.stringify(more));
    }
    for (const whole of [
      { totalElements: 1e12 },
      { totalElements: '2' },
      { totalElements: 1, totalPages: 2 },
      { totalPages: 1.5 },
    ]) {
      assert.ok(!says(whole), JSON.stringify(whole));
    }
  });

  test('can be an error that is a sentence about the service', () => {
    const error = { status: 502, frames: [], errorSource: 'downstream', error: 'the service has a problem' };
    assert.deepEqual(kinds(played(world, true), error), []);
    for (const wrong of [{ errorSource: 'plugin' }, { status: 200 }, { error: 'EOF' }, { error: 'x'.repeat(2_000) }]) {
      assert.equal(kinds(played(world, true), { ...error, ...wrong }).length, 1, JSON.stringify(wrong));
    }
  });

  test('is reported if it is missing', () => {
    assert.equal(kinds(played(world, true), undefined).length, 1);
    assert.equal(kinds(played(world, true), { status: 200, frames: [] }).length, 1);
  });
});
