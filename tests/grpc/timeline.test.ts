import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FrameJson } from '../../workbench/backend/frames';
import { readAll, type Row } from '../../workbench/reference';
import { ask } from './support/ask';
import { dataSourceFor, startPlugin } from './support/plugin';
import { frozen, startService } from './support/simulator';

const hourMs = 3_600_000;
const now = Date.parse(frozen);
const range = { from: now - 30 * hourMs, to: now - 2 * hourMs };

interface Bar {
  lane: unknown;
  start: number;
  end: number;
  state: unknown;
}

const byStart = (a: Bar, b: Bar) =>
  a.start - b.start || a.end - b.end || String(a.state).localeCompare(String(b.state));

function barsOf({ schema, data }: FrameJson): Bar[] {
  const [starts, ends, states] = data.values as [number[], number[], unknown[]];
  const [lane] = Object.values(schema.fields[2].labels ?? {});
  return starts.map((start, row) => ({ lane, start, end: ends[row], state: states[row] }));
}

describe('timeline', () => {
  const plugin = startPlugin();
  const service = startService({ frozen, tasksTotal: 2_000, automations: 8, runners: 4 });

  /** Bars of the ended tasks that ran in the range, from the service's own records. */
  async function expected(state: (task: Row) => unknown): Promise<Bar[]> {
    return (await readAll(service.url, 'tasks'))
      .filter((task) => task.state !== 'RUNNING' && task.dateStartRunning && task.dateLastModified)
      .map((task) => {
        const start = Number(task.dateStartRunning);
        const end = Math.max(Number(task.dateLastModified), start + 1);
        return { lane: String(task.machineId ?? ''), start, end, state: state(task) };
      })
      .filter(({ start, end }) => start <= range.to && end > range.from)
      .sort(byStart);
  }

  for (const [name, query, state] of [
    ['automations', {}, (task: Row) => task.activityLabel],
    ['finish status', { state: 'finishStatus' }, (task: Row) => task.finishStatus ?? task.state],
  ] as const) {
    test(`a frame for each lane, with the bars of the service's tasks: ${name}`, async () => {
      const { frames = [], error } = await ask(
        plugin,
        dataSourceFor(service.url),
        { format: 'timeline', ...query },
        range
      );
      assert.equal(error, undefined);
      assert.ok(frames.length >= 4);
      for (const { schema } of frames) {
        assert.deepEqual(
          schema.fields.map(({ name, type }) => [name, type]),
          [
            ['start', 'time'],
            ['end', 'time'],
            ['state', 'string'],
          ]
        );
      }
      // Tasks that run in the simulator's world end now, which is not its time.
      const bars = frames.flatMap(barsOf).filter(({ end }) => end < Date.now() - hourMs);
      const wanted = await expected(state);
      assert.ok(wanted.length > 20);
      assert.deepEqual(bars.sort(byStart), wanted);
    });
  }

  test('bars of a lane do not overlap, and each has a color', async () => {
    const { frames = [] } = await ask(
      plugin,
      dataSourceFor(service.url),
      { format: 'timeline', groupBy: ['activityLabel'] },
      range
    );
    for (const frame of frames) {
      const bars = barsOf(frame);
      assert.ok(bars.every(({ start }, row) => row === 0 || bars[row - 1].end <= start));
      const { mappings } = frame.schema.fields[2].config as {
        mappings: Array<{ options: Record<string, { color: string }> }>;
      };
      assert.ok(bars.every(({ state }) => mappings[0].options[String(state)].color));
    }
  });
});
