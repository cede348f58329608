import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FrameJson } from '../../workbench/backend/frames';
import { type Handler, text, withHostile } from './support/hostile';
import { labelOf, pageOf, type World, worlds } from './support/incidents';
import { dataSourceFor, frameOf, noticesOf, startPlugin, valuesOf } from './support/plugin';

const plugin = startPlugin();

type Answer = Record<string, string[]>;

/** What a rule says of the automations of some worlds: reason/severity by label. */
async function said(
  listed: World[],
  parts: object = {},
  { sent = (page: string) => page } = {}
): Promise<{ answer: Answer; notices: string[] }> {
  const now = Date.now();
  const page = sent(pageOf(listed, now));
  const tasks: Handler = (response) => text(response, page);
  return withHostile({ tasks }, async (url) => {
    const query = { format: 'attention', days: 30, ...parts };
    const [result] = await plugin.askAll(
      dataSourceFor(url),
      [query],
      { from: now - 3_600_000, to: now },
      { FromAlert: 'true' }
    );
    const { schema, data } = frameOf(result);
    const answer: Answer = {};
    for (const [index, { labels }] of schema.fields.entries()) {
      (answer[labels?.activityLabel ?? ''] ??= []).push(`${labels?.reason ?? ''}/${data.values[index][0]}`);
    }
    return { answer, notices: noticesOf(frameOf(result)) };
  });
}

describe('attention', () => {
  test('says what happens in a dozen worlds, as early as pkg/attention does, and nothing of healthy ones', async () => {
    const { answer } = await said(worlds);
    for (const world of worlds) {
      for (const [hours, ...findings] of world.said) {
        const label = labelOf(world, hours);
        assert.deepEqual(answer[label] ?? [], findings, label);
      }
    }
  });

  const failing = worlds.filter(({ name }) => name === 'hourly: all FAILED');
  const [failingLabel] = failing.map((world) => labelOf(world, 2.3));

  const written = (from: RegExp, to: string) => ({ sent: (page: string) => page.replaceAll(from, to) });
  for (const [what, change, expected] of [
    ['failures by another name', written(/"FAILED"/g, '"ERROR"'), ['failing/3']],
    ['failures in lower case', written(/"FAILED"/g, '"failed"'), ['failing/3']],
    ['ends by another name', written(/"dateLastModified"/g, '"dateEnd"'), ['failing/3']],
    ['creations by another name', written(/"dateCreation"/g, '"created"'), undefined],
    ['creations that are null', written(/"dateCreation":"[^"]*"/g, '"dateCreation":null'), undefined],
    ['results by another name', written(/"finishStatus"/g, '"result"'), undefined],
    ['results and states by other names', written(/"(finishStatus|state)"/g, '"other_$1"'), undefined],
  ] as const) {
    test(`a rule is not 0 over ${what}`, async () => {
      const { answer, notices } = await said(failing, {}, change);
      assert.deepEqual(answer[failingLabel], expected, JSON.stringify(notices));
      assert.deepEqual(answer[''], undefined);
      assert.equal(notices.includes('Cannot be judged: 2'), !expected, JSON.stringify(notices));
    });
  }

  test('a rule is not 0 over a state that is not known', async () => {
    const timeouts = worlds.filter(({ name }) => name === 'hourly: all TIMEOUT');
    const { answer } = await said(timeouts, {}, written(/"TIMEOUT"/g, '"EXPIRED"'));
    assert.deepEqual(answer[labelOf(timeouts[0], 72)], ['failing/3']);
  });

  test('a reason that is off is not said, nor is an ignored automation', async () => {
    assert.deepEqual((await said(failing)).answer, { [failingLabel]: ['failing/3'] });
    for (const attention of [{ failing: 0 }, { failures: 0 }, { ignore: [failingLabel] }]) {
      assert.deepEqual((await said(failing, { attention })).answer, { '': ['/0'] }, JSON.stringify(attention));
    }
  });

  test('a service that lists no task is no data, which the answer says', async () => {
    assert.deepEqual(await said([]), { answer: {}, notices: ['No tasks to judge'] });
  });

  test('a filter that no group matches is no data, which the answer says', async () => {
    const filters = [{ key: 'activityLabel', operator: '=', value: 'nobody' }];
    const { answer, notices } = await said(failing, { filters });
    assert.deepEqual(answer, {});
    assert.ok(notices.includes('No group matches the filters'), JSON.stringify(notices));
  });

  describe('in a panel', () => {
    /** The answers to queries of all worlds, in a panel or in a rule. */
    async function asked(queries: Array<Record<string, unknown>>, headers = {}): Promise<FrameJson[]> {
      const now = Date.now();
      return withHostile({ tasks: (response) => text(response, pageOf(worlds, now)) }, async (url) => {
        const range = { from: now - 3_600_000, to: now };
        return (await plugin.askAll(dataSourceFor(url), queries, range, headers)).map(frameOf);
      });
    }
    const query = { format: 'attention', days: 30 };

    test('the sentence about failures in a row says the number of the measure', async () => {
      const measure = {
        ...{ format: 'numeric', days: 30 },
        ...{ measure: 'failuresInARow', groupBy: ['activityLabel'] },
      };
      const [panel, { schema, data }] = await asked([query, measure]);
      const measured = Object.fromEntries(
        schema.fields.map(({ labels }, index) => [labels?.activityLabel, data.values[index][0]])
      );
      const labels = valuesOf(panel, 'activityLabel') as string[];
      const said = (valuesOf(panel, 'why') as string[]).flatMap((sentence, row) => {
        const [, number] = /(\d+) failures in a row/.exec(sentence) ?? [];
        return number ? [[labels[row], Number(number)]] : [];
      });
      assert.ok(said.length > 0, 'no failures in a row');
      assert.deepEqual(
        said,
        said.map(([label]) => [label, measured[label]])
      );
    });

    test('a rule has what the panel lists, and only the group and the reason as labels', async () => {
      const [panel] = await asked([query]);
      const [{ schema, data }] = await asked([query], { FromAlert: 'true' });
      assert.equal(schema.meta?.type, 'numeric-wide');
      const instances = schema.fields.map(({ labels }, index) => ({ ...labels, severity: data.values[index][0] }));
      const named = (name: string) => valuesOf(panel, name) as unknown[];
      assert.ok(named('reason').length > 0, 'nothing is said');
      for (const [row, reason] of named('reason').entries()) {
        const wanted = { activityLabel: named('activityLabel')[row], reason, severity: named('severity')[row] };
        assert.ok(
          instances.some((instance) => JSON.stringify(instance) === JSON.stringify(wanted)),
          JSON.stringify(wanted)
        );
      }
    });
  });
});
