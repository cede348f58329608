import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Sharing } from './sharing';
import { Timeline } from './timeline';

describe('what an answer can be made of', () => {
  let now = 0;
  const clock = () => now;

  test('a read is as old as those who waited for it, one after the other', () => {
    now = 0;
    const sharing = new Sharing(1_000, clock);
    const first = sharing.begin('a');
    now = 5_000;
    const second = sharing.begin('a');
    first.end();
    now = 9_000;
    const third = sharing.begin('a');
    assert.deepEqual([first.oldest, second.oldest, third.oldest], [0, 0, 0]);
    assert.equal(sharing.begin('b').oldest, 9_000, 'others are no matter');
  });

  test('a read is kept for the TTL, and not a moment longer', () => {
    now = 0;
    const sharing = new Sharing(1_000, clock);
    const { end } = sharing.begin('a');
    now = 500;
    end();
    now = 1_500;
    const kept = sharing.begin('a');
    kept.end();
    assert.equal(kept.oldest, 0);
    now = 2_501;
    assert.equal(sharing.begin('a').oldest, 2_501);
  });

  test('what was so at the edge of a span counts, what was over before does not', () => {
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
