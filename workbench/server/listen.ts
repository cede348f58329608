import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { createAdaptorServer } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';

import { root } from '../backend/binary';
import { pluginId } from '../backend/context';
import type { Backend } from '../backend/host';
import { api } from './api';
import { bundlePage, type PageFile, type ReactMajor } from './bundle';
import type { DataSourceStore } from './data-source';

/** A running workbench. */
export interface Listening {
  url: string;
  close(): Promise<void>;
}

type Server = ReturnType<typeof createAdaptorServer>;

/** Loopback only: anyone who can reach the page can use the data source with its key. */
async function bind(server: Server, port: number, anyOther: boolean): Promise<number> {
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if (!anyOther || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
      throw error;
    }
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Serves the page and the API on 127.0.0.1. With `anyOther`, uses a free port if the requested one is in use. `react` is
 * the version for the page and the plugin, 19 by default.
 */
export async function listen(
  backend: Backend,
  store: DataSourceStore,
  { port, anyOther, react = 19 }: { port: number; anyOther: boolean; react?: ReactMajor }
): Promise<Listening> {
  const app = new Hono();
  app.use(guard);
  app.route('/api', api(backend, store));
  app.route('/', assets(await bundlePage(react)));

  const server = createAdaptorServer({ fetch: app.fetch });
  const bound = await bind(server, port, anyOther);
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Browsers keep connections open; waiting for them would keep the workbench running.
        if ('closeAllConnections' in server) {
          server.closeAllConnections();
        }
      }),
  };
}

const folderOf = (name: string) => path.dirname(require.resolve(`${name}/package.json`));

// The folders for each public path; the first one that contains a file serves it.
const folders: Array<[prefix: string, folder: string]> = [
  [`/public/plugins/${pluginId}/`, path.join(root, 'dist')],
  ['/public/build/img/icons/', path.join(folderOf('@grafana/ui'), 'dist', 'public', 'img', 'icons')],
  // A few icons that `@grafana/ui` shows but doesn't ship.
  ['/public/build/img/icons/', path.join(root, 'workbench', 'icons')],
  ['/systemjs/', path.join(folderOf('systemjs'), 'dist')],
];

/** The page itself, the built plugin, and Grafana's icons, under the paths that Grafana uses. */
function assets(page: Map<string, PageFile>): Hono {
  const app = new Hono();
  const html = readFileSync(path.join(root, 'workbench', 'page', 'index.html'), 'utf8');

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

const ownNames = ['127.0.0.1', 'localhost'];

// The page can hold the key of a real service, so no other web page may reach it: neither by a name that was pointed at
// this machine later (Host), nor with a request of its own (Origin).
/** Refuses requests that don't come from this workbench's own page. */
export const guard: MiddlewareHandler = async (context, next) => {
  const host = context.req.header('host') ?? '';
  const origin = context.req.header('origin');
  if (!ownNames.includes(host.replace(/:\d+$/, '')) || (origin !== undefined && origin !== `http://${host}`)) {
    return context.json({ message: 'The workbench only responds to its own page' }, 403);
  }
  return next();
};
