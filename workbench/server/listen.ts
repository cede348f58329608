import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import type { Backend } from '../backend/host';
import { api } from './api';
import { assets } from './assets';
import { bundlePage } from './bundle';
import type { DataSourceStore } from './data-source';
import { guard } from './guard';
import { reloadScript, type Reload } from './reload';

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
 * given, makes open pages load themselves again.
 */
export async function listen(
  backend: () => Backend,
  store: DataSourceStore,
  { port, anyOther, reload }: { port: number; anyOther: boolean; reload?: Reload }
): Promise<Listening> {
  const app = new Hono();
  app.use(guard);
  app.route('/api', api(backend, store));
  if (reload) {
    app.route('/', reload.app);
  }
  app.route('/', assets(await bundlePage(), reload ? reloadScript : ''));

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
