import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { pluginId } from '../backend/context';
import { resultsJson } from '../backend/frames';
import type { Backend } from '../backend/host';
import type { Query } from '../backend/wire';
import type { DataSourceStore, DataSourceUpdate } from './data-source';

interface QueryBody {
  from: string;
  to: string;
  queries: Array<Record<string, unknown> & { refId: string; intervalMs?: number; maxDataPoints?: number }>;
}

function queriesOf({ queries, from, to }: QueryBody): Query[] {
  return queries.map((json) => ({
    ...{ refId: json.refId, json, from: Number(from), to: Number(to) },
    // Grafana's defaults if a request doesn't specify them.
    intervalMs: json.intervalMs ?? 1_000,
    maxDataPoints: json.maxDataPoints ?? 100,
  }));
}

// Browser headers that don't concern a plugin; Grafana drops the same ones.
const ownHeaders = ['connection', 'cookie', 'host', 'origin', 'referer', 'content-length', 'user-agent'];

function headersOf(context: Context): Record<string, string> {
  return Object.fromEntries(Object.entries(context.req.header()).filter(([name]) => !ownHeaders.includes(name)));
}

/** The part of Grafana's HTTP API that the frontend of a data source plugin calls. */
export function api(backend: Backend, store: DataSourceStore): Hono {
  const app = new Hono();

  app.get('/datasources/uid/:uid', (context) => context.json(store.view(pluginId)));

  app.put('/datasources/uid/:uid', async (context) => {
    store.save(await context.req.json<DataSourceUpdate>());
    return context.json({ message: 'Datasource updated', datasource: store.view(pluginId) });
  });

  app.get('/datasources/uid/:uid/health', async (context) => {
    const health = await backend.checkHealth(store.get(), context.req.raw.signal);
    return context.json(health, health.status === 'OK' ? 200 : 400);
  });

  app.post('/ds/query', async (context) => {
    const queries = queriesOf(await context.req.json<QueryBody>());
    const results = resultsJson(await backend.queryData(store.get(), queries, context.req.raw.signal));
    // As in Grafana, one failed query makes the whole response a 400, which contains the frames of the others.
    const failed = Object.values(results).some(({ error }) => error !== undefined);
    return context.json({ results }, failed ? 400 : 200);
  });

  app.all('/datasources/uid/:uid/resources/*', async (context) => {
    const { pathname, search } = new URL(context.req.url);
    const path = pathname.split('/resources/').slice(1).join('/resources/');
    const request = { method: context.req.method, path, url: path + search, headers: headersOf(context) };
    const body = new Uint8Array(await context.req.arrayBuffer());
    const answer = await backend.callResource(store.get(), { ...request, body }, context.req.raw.signal);
    Object.entries(answer.headers).forEach(([name, values]) => context.header(name, values.join(', ')));
    // Any status can be returned, including those without a body.
    return context.newResponse(
      answer.body.length > 0 ? new Uint8Array(answer.body) : null,
      answer.status as ContentfulStatusCode
    );
  });

  app.notFound((context) => context.json({ message: 'Not found' }, 404));

  app.onError((error, context) => {
    const badBody = error instanceof SyntaxError;
    return context.json({ message: badBody ? 'bad request data' : error.message, traceID: '' }, badBody ? 400 : 500);
  });

  return app;
}
