import type { ServerResponse } from 'node:http';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { json, text } from './support/answers';
import { withHostile, type Handler, type Noted } from './support/hostile';
import { forms, type Form } from './support/leaks';
import { dataSourceFor, startPlugin } from './support/plugin';
import { assertLogHasNone, assertNone, everything, key, plainKey, saidBy, token } from './support/said';

/** A body that echoes a secret, and its content type. */
interface Echo {
  name: string;
  type: string;
  body: (form: Form, secret: string, pad: string) => string;
}

const quoted = ({ json, write }: Form, secret: string, pad: string) =>
  json ? `"${pad} ${write(secret)} no"` : JSON.stringify(`${pad} ${write(secret)} no`);

const echoes: Echo[] = [
  { name: 'message', type: 'application/json', body: (...said) => `{"message":${quoted(...said)}}` },
  {
    name: 'details',
    type: 'application/json',
    body: (...said) => `{"message":"no","details":{"sent":${quoted(...said)}}}`,
  },
  { name: 'other JSON', type: 'application/json', body: (...said) => `{"errors":[${quoted(...said)}]}` },
  { name: 'plain text', type: 'text/plain', body: ({ write }, secret, pad) => `${pad} ${write(secret)} no` },
  { name: 'HTML', type: 'text/html', body: ({ write }, secret, pad) => `<html><p>${pad} ${write(secret)}</p></html>` },
];

// The prefix moves the secret across the positions at which messages and bodies are truncated.
const lengths = (name: string) => (/message|text/.test(name) ? [0, 176, 778, 16_360] : [0, 176]);

/** Each echo with each pad. A prefix of the path distinguishes the data sources of a test. */
const cases = echoes.flatMap((echo) =>
  lengths(echo.name).map((length) => ({
    ...echo,
    where: `${echo.name}, after ${length}`,
    pad: 'z'.repeat(length),
    prefix: `/${echo.name.replace(' ', '')}-${length}`,
  }))
);

describe('o. key and token in anything that a service says', () => {
  const plugin = startPlugin();
  const tokenOf = (_: Noted, response: ServerResponse) =>
    json(response, { accessToken: token, organizationLabel: 'acme' });

  // Concurrently: most of the time is pauses before a retry.
  describe('in responses', { concurrency: 6 }, () => {
    for (const form of forms) {
      for (const [route, status, secret] of [
        ['a login', 401, key],
        ['a login', 500, key],
        ['a data route', 400, key],
        ['a data route', 400, token],
      ] as const) {
        test(`${secret === key ? 'the key' : 'the token'} ${form.name}, in a ${status} of ${route}`, async () => {
          const handler: Handler = ({ url }, response) => {
            const { body, type, pad } = cases.find(({ prefix }) => url.pathname.startsWith(`${prefix}/`))!;
            text(response, body(form, secret, pad), status, type);
          };
          const data = { tasks: handler, automation: handler, runner: handler };
          const handlers = route === 'a login' ? { login: handler, ...data } : { login: tokenOf, ...data };
          await withHostile(handlers, async (service) => {
            const said = cases.map(async ({ prefix, where }) => {
              const dataSource = dataSourceFor(`${service.url}${prefix}`, { cacheTTL: 0 }, key);
              const found = await everything(plugin, dataSource);
              return found.map((one) => ({ ...one, where: `${one.where} (${where})` }));
            });
            assertNone((await Promise.all(said)).flat());
          });
        });
      }

      test(`the key ${form.name}, in an unreadable response`, async () => {
        const bodies = ['¡', '{"content":', '{"content":[{"id":1}],"', '[{"id":"', '{"content":[{"id":1,'].map(
          (start) => `${start}${form.write(key)}`
        );
        const handler: Handler = ({ url }, response) => text(response, bodies[Number(url.pathname.split('/')[1])]);
        await withHostile({ tasks: handler, automation: handler, runner: handler }, async (service) => {
          // Concurrently: a response that breaks off is requested again, after a pause.
          const said = bodies.map((_, index) =>
            everything(plugin, dataSourceFor(`${service.url}/${index}`, { cacheTTL: 0 }, key))
          );
          assertNone((await Promise.all(said)).flat());
        });
      });

      test(`the key ${form.name}, in values of a wrong type`, async () => {
        const value = quoted(form, key, '');
        const body = `{"content":[{"id":${value},"dateCreation":${value},"processedItems":${value},"state":[${value}]}]}`;
        await withHostile({ tasks: (_, response) => text(response, body) }, async (service) => {
          const dataSource = dataSourceFor(service.url, { cacheTTL: 0 }, key);
          assertNone(saidBy(await plugin.ask(dataSource, { queryType: 'tasks' }), 'tasks'));
        });
      });
    }

    for (const one of [key, plainKey]) {
      test(`${one === key ? 'a key' : 'a plain key'} in the names of fields that an error lists`, async () => {
        const body = JSON.stringify({ content: [{ id: 1, [one]: 1 }] });
        await withHostile({ tasks: (_, response) => text(response, body) }, async (service) => {
          const dataSource = dataSourceFor(service.url, { cacheTTL: 0 }, one);
          const answer = await plugin.ask(dataSource, { queryType: 'tasks', columns: ['no-such-field'] });
          assert.equal(answer.status, 400);
          assertNone(saidBy(answer, 'tasks'));
        });
      });
    }

    for (const status of [200, 400, 401]) {
      test(`the key in the content type and the reason of a ${status}`, async () => {
        const handler: Handler = (_, response) => {
          response.writeHead(status, `No ${plainKey}`, { 'content-type': `text/html; key=${plainKey}` });
          response.end('<html>no</html>');
        };
        const handlers = { tasks: handler, automation: handler, runner: handler };
        for (const all of [handlers, { ...handlers, login: handler }]) {
          await withHostile(all, async (service) => {
            assertNone(await everything(plugin, dataSourceFor(service.url, { cacheTTL: 0 }, plainKey)));
          });
        }
      });
    }
  });

  test('none of it is in the log', () => assertLogHasNone(plugin));
});
