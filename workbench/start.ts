import { Backend } from './backend/host';
import { check } from './check';
import { printWarning } from './log';
import { parseOptions, type Options } from './options';
import { DataSourceStore } from './server/data-source';
import { listen } from './server/listen';
import { openService, type Service } from './service';

/** Waits for Ctrl+C, or for whoever started the workbench to end it. */
function untilStopped(): Promise<unknown> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  return Promise.race(signals.map((signal) => new Promise((resolve) => process.once(signal, resolve))));
}

async function serve(backend: Backend, service: Service, { port, anyOtherPort }: Options): Promise<void> {
  const stopped = untilStopped();
  const store = new DataSourceStore(service.dataSource);
  const { url, close } = await listen(backend, store, { port, anyOther: anyOtherPort });
  console.log(`The data source talks to ${service.name}. Ctrl+C stops everything.`);
  console.log(`Open ${url}`);
  await stopped;
  await close();
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2), process.env);
  const service = await openService(options);
  const backend = await Backend.start(printWarning);
  try {
    if (options.check) {
      return (await check(backend, service.dataSource)) ? 0 : 1;
    }
    await serve(backend, service, options);
    return 0;
  } finally {
    await Promise.all([backend.stop(), service.close()]);
  }
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  }
);
