import { once } from 'node:events';
import { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createAdaptorServer } from '@hono/node-server';

import { resolveOptions, type SimulatorOptions } from './options';
import { buildApp } from './server';
import { World } from './world';

export type { SimulatorOptions } from './options';

/** A running simulator. */
export interface Simulator {
  /** Base URL, without a trailing slash. */
  url: string;
  /** What the service knows: code in the same process can look at it and change it between two requests. */
  world: World;
  /** Stops listening and closes open connections. */
  close(): Promise<void>;
}

/** Longer than clients keep idle connections, so that none is closed while a request is being sent on it. */
const KEEP_ALIVE = 120_000;

/**
 * Starts a simulator in this process, on any free port of 127.0.0.1 unless the options say otherwise. With a world of
 * another simulator, it is a second way to the same rows, with its own sessions and faults.
 */
export async function startSimulator(given: Partial<SimulatorOptions> = {}, shared?: World): Promise<Simulator> {
  const options = resolveOptions(given);
  const world = shared ?? new World(options);
  const server = createAdaptorServer({ fetch: buildApp(world).fetch, overrideGlobalObjects: false });
  if (!(server instanceof Server)) {
    throw new Error('Expected an HTTP/1.1 server');
  }
  server.keepAliveTimeout = KEEP_ALIVE;
  server.listen(options.port, options.host);
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  // Clients can't connect to a wildcard address.
  const host = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host;
  return {
    url: `http://${host}:${port}`,
    world,
    async close() {
      if (!server.listening) {
        return;
      }
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
