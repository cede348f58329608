import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Sharing } from './sharing';
import { Timeline } from './timeline';

describe('the possible age of a response', () => {
  let now = 0;
  const clock = () => now;

  test('a read is as old as the oldest caller that waits for it', () => {
    now = 0;
    const sharing = new Sharing(1_000, clock);
    const first = sharing.begin('a');
    now = 5_000;
    const second = sharing.begin('a');
    first.end(false);
    now = 9_000;
    assert.deepEqual([first.oldest, second.oldest], [0, 0]);
    assert.equal(sharing.begin('a').oldest, 5_000, 'the first was answered, which ended its read');
    assert.equal(sharing.begin('b').oldest, 9_000, "other queries don't matter");
  });

  test("a caller who leaves doesn't end the read of the others", () => {
    now = 0;
    const sharing = new Sharing(1_000, clock);
    const first = sharing.begin('a');
    now = 5_000;
    const second = sharing.begin('a');
    first.end(true);
    now = 9_000;
    assert.equal(sharing.begin('a').oldest, 0);
    second.end(false);
  });

  test('a read can end although its only caller has left, and answer others', () => {
    now = 0;
    const sharing = new Sharing(1_000, clock);
    sharing.begin('a').end(true);
    now = 400;
    const joins = sharing.begin('a');
    now = 450;
    joins.end(false);
    now = 1_400;
    assert.deepEqual([joins.oldest, sharing.begin('a').oldest], [0, 0]);
  });

  test('a read is kept for the TTL, and not a moment longer', () => {
    now = 0;
    const sharing = new Sharing(1_000, clock);
    const { end } = sharing.begin('a');
    now = 500;
    end(false);
    now = 1_500;
    const kept = sharing.begin('a');
    kept.end(false);
    assert.equal(kept.oldest, 0);
    now = 2_501;
    assert.equal(sharing.begin('a').oldest, 2_501);
  });

  test("the edge of an interval counts, and what ended before it doesn't", () => {
    now = 0;
    const timeline = new Timeline<string>(1_000_000, clock);
    const end = timeline.begin('first');
    now = 10;
    end();
    now = 20;
    timeline.begin('second');
    assert.deepEqual(timeline.during({ from: 10, until: 20 }), ['first', 'second']);
    assert.deepEqual(timeline.during({ from: 11, until: 19 }), []);
    assert.deepEqual(timeline.during({ from: 500, until: 600 }), ['second']);
  });
});
