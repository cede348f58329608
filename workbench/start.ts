import { Backend } from './backend/host';
import { check } from './check';
import { printWarning } from './log';
import { type Options, parseOptions } from './options';
import { DataSourceStore } from './server/data-source';
import { listen } from './server/listen';
import { openService, type Service } from './service';

/** Waits for Ctrl+C, or until the process that started the workbench ends it. */
function untilStopped(): Promise<unknown> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  return Promise.race(signals.map((signal) => new Promise((resolve) => process.once(signal, resolve))));
}

async function serve(backend: Backend, service: Service, { port, anyOtherPort }: Options): Promise<void> {
  const stopped = untilStopped();
  const store = new DataSourceStore(service.dataSource);
  const { url, close } = await listen(backend, store, { port, anyOther: anyOtherPort });
  console.log(`The data source uses ${service.name}. Press Ctrl+C to stop.`);
  console.log(`Open ${url}`);
  await stopped;
  await Promise.all([close(), backend.stop()]);
}

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2), process.env);
  const service = await openService(options);
  try {
    const backend = await Backend.start(printWarning);
    if (!options.check) {
      await serve(backend, service, options);
      return 0;
    }
    const healthy = await check(backend, service.dataSource).finally(() => backend.stop());
    return healthy ? 0 : 1;
  } finally {
    await service.close();
  }
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  }
);
