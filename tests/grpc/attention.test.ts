import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Handler, text, withHostile } from './support/hostile';
import { labelOf, pageOf, type World, worlds } from './support/incidents';
import { dataSourceFor, frameOf, noticesOf, startPlugin, valuesOf } from './support/plugin';

const plugin = startPlugin();
const hour = 3_600_000;

type Answer = Record<string, string[]>;

/** What a rule says of the automations of some worlds: reason/severity by label. */
async function said(
  listed: World[],
  { sent = (page: string) => page } = {}
): Promise<{ answer: Answer; notices: string[] }> {
  const now = Date.now();
  const page = sent(pageOf(listed, now));
  const tasks: Handler = (response) => text(response, page);
  return withHostile({ tasks }, async (url) => {
    const query = { format: 'attention', days: 30 };
    const range = { from: now - hour, to: now };
    const [result] = await plugin.askAll(dataSourceFor(url), [query], range, { FromAlert: 'true' });
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
      const { answer, notices } = await said(failing, change);
      assert.deepEqual(answer[failingLabel], expected, JSON.stringify(notices));
      assert.deepEqual(answer[''], undefined);
      assert.equal(notices.includes('Cannot be judged: 2'), !expected, JSON.stringify(notices));
    });
  }

  test('a rule is not 0 over a state that is not known', async () => {
    const timeouts = worlds.filter(({ name }) => name === 'hourly: all TIMEOUT');
    const { answer } = await said(timeouts, written(/"TIMEOUT"/g, '"EXPIRED"'));
    assert.deepEqual(answer[labelOf(timeouts[0], 72)], ['failing/3']);
  });

  test('every runner has a row that says what it does, and a rule is the same without these', async () => {
    const of = (name: string, runner: string, hours: number): World => ({
      ...worlds.find((world) => world.name === name)!,
      ...{ runner, said: [[hours]] },
    });
    const listed = [of('hourly', 'works', 24.05), of('hourly', 'idle', 24.5), of('hourly stops', 'dead', 250)];
    const page = pageOf([...listed, of('hourly: hangs, none after', 'hangs', 3)], Date.now());
    await withHostile({ tasks: (response) => text(response, page) }, async (url) => {
      const range = { from: Date.now() - hour, to: Date.now() };
      const ask = async (attention: object, headers = {}, groupBy = ['machineId']) => {
        const query = { format: 'attention', attention, groupBy };
        return (await plugin.askAll(dataSourceFor(url), [query], range, headers))[0];
      };
      const frame = frameOf(await ask({ all: true }));
      const rows = valuesOf(frame, 'machineId')!.map((runner, row) =>
        ['state', 'reason'].reduce((text, name) => `${text} ${valuesOf(frame, name)![row]}`, String(runner))
      );
      assert.deepEqual(rows, ['dead quiet silent', 'hangs hung slow', 'idle idle null', 'works working null']);
      const rule = { FromAlert: 'true' };
      assert.deepEqual(frameOf(await ask({ all: true }, rule)).data, frameOf(await ask({}, rule)).data);
      assert.match(JSON.stringify(await ask({ all: true }, {}, ['activityLabel'])), /Group by machineId/);
    });
  });

  test('a rule has what the panel lists, and only the group and the reason as labels', async () => {
    const page = pageOf(worlds, Date.now());
    const [panel, rule] = await withHostile({ tasks: (response) => text(response, page) }, (url) => {
      const range = { from: Date.now() - hour, to: Date.now() };
      const ask = async (headers = {}) =>
        frameOf((await plugin.askAll(dataSourceFor(url), [{ format: 'attention', days: 30 }], range, headers))[0]);
      return Promise.all([ask(), ask({ FromAlert: 'true' })]);
    });
    assert.equal(rule.schema.meta?.type, 'numeric-wide');
    const instances = rule.schema.fields.map(({ labels }, index) =>
      JSON.stringify({ ...labels, severity: rule.data.values[index][0] })
    );
    const named = (name: string) => valuesOf(panel, name) as unknown[];
    const listed = named('reason').map((reason, row) =>
      JSON.stringify({ activityLabel: named('activityLabel')[row], reason, severity: named('severity')[row] })
    );
    assert.ok(listed.length > 0, 'nothing is said');
    assert.deepEqual(
      listed.filter((instance) => !instances.includes(instance)),
      []
    );
  });
});
