import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { createAdaptorServer } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { streamSSE } from 'hono/streaming';

import { root } from '../backend/binary';
import { pluginId } from '../backend/context';
import type { Backend } from '../backend/host';
import { api } from './api';
import { bundlePage, type PageFile, type ReactMajor } from './bundle';
import type { DataSourceStore } from './data-source';

/** A listening workbench. */
export interface Listening {
  url: string;
  close(): Promise<void>;
}

type Server = ReturnType<typeof createAdaptorServer>;

// Loopback only: whoever reaches the page uses the data source with its key.
function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function bindOrNext(server: Server, port: number, anyOther: boolean): Promise<number> {
  try {
    return await bind(server, port);
  } catch (error) {
    if (anyOther && (error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      return bind(server, 0);
    }
    throw error;
  }
}

/**
 * Serves page and API on 127.0.0.1; `anyOther` takes a free port when the wished one is in use. `reload`, where it is
 * given, makes open pages load themselves again; `react` is the version that the page and the plugin get, 19 when absent.
 */
export async function listen(
  backend: () => Backend,
  store: DataSourceStore,
  { port, anyOther, reload, react = 19 }: { port: number; anyOther: boolean; reload?: Reload; react?: ReactMajor }
): Promise<Listening> {
  const app = new Hono();
  app.use(guard);
  app.route('/api', api(backend, store));
  if (reload) {
    app.route('/', reload.app);
  }
  app.route('/', assets(await bundlePage(react), reload ? reloadScript : ''));

  const server = createAdaptorServer({ fetch: app.fetch });
  const bound = await bindOrNext(server, port, anyOther);
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Browsers keep their connections open; waiting for them would keep the workbench up.
        if ('closeAllConnections' in server) {
          server.closeAllConnections();
        }
      }),
  };
}

const folderOf = (name: string) => path.dirname(require.resolve(`${name}/package.json`));

// Where each public path has its files; the first folder that holds one gives it.
const folders: Array<[prefix: string, folder: string]> = [
  [`/public/plugins/${pluginId}/`, path.join(root, 'dist')],
  ['/public/build/img/icons/', path.join(folderOf('@grafana/ui'), 'dist', 'public', 'img', 'icons')],
  // A few icons that `@grafana/ui` shows and does not ship.
  ['/public/build/img/icons/', path.join(root, 'workbench', 'icons')],
  ['/systemjs/', path.join(folderOf('systemjs'), 'dist')],
];

/** The page itself, the built plugin, and Grafana's icons, under the paths that Grafana has for them. */
function assets(page: Map<string, PageFile>, script: string): Hono {
  const app = new Hono();
  const file = readFileSync(path.join(root, 'workbench', 'page', 'index.html'), 'utf8');
  const html = file.replace('</body>', `${script}</body>`);

  app.get('/', (context) => context.html(html));
  for (const [name, { text, type }] of page) {
    app.get(name, (context) => context.body(text, 200, { 'content-type': `${type}; charset=utf-8` }));
  }
  for (const [prefix, folder] of folders) {
    const rewriteRequestPath = (requested: string) => requested.slice(prefix.length);
    app.get(`${prefix}*`, serveStatic({ root: folder, rewriteRequestPath }));
  }
  return app;
}

const changesPath = '/changes';

/** What a page does to hear of changes. */
const reloadScript = `<script>new EventSource('${changesPath}').onmessage = () => location.reload();</script>`;

/** Tells open pages to load themselves again. */
export class Reload {
  private readonly pages = new Set<() => void>();

  readonly app = new Hono().get(changesPath, (context) =>
    streamSSE(context, async (stream) => {
      const left = new Promise<void>((resolve) => stream.onAbort(resolve));
      const tell = () => void stream.writeSSE({ data: 'changed' });
      this.pages.add(tell);
      await left;
      this.pages.delete(tell);
    })
  );

  now(): void {
    this.pages.forEach((tell) => tell());
  }
}

const ownNames = ['127.0.0.1', 'localhost'];

// The page may hold the key of a real service, so no other web page may reach it: neither under a name that was
// pointed at this machine afterwards (Host), nor with a request of its own (Origin).
/** Refuses requests that this workbench's own page did not make. */
export const guard: MiddlewareHandler = async (context, next) => {
  const host = context.req.header('host') ?? '';
  const origin = context.req.header('origin');
  if (!ownNames.includes(host.replace(/:\d+$/, '')) || (origin !== undefined && origin !== `http://${host}`)) {
    return context.json({ message: 'The workbench answers its own page only' }, 403);
  }
  return next();
};
