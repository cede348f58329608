import { Backend } from './backend/host';
import { check } from './check';
import { DataSourceStore } from './server/data-source';
import { listen } from './server/listen';
import { openService, type Options, parseOptions, type Service } from './service';

const shown = ['warn', 'error'];

// The SDK's own lines about error responses: the caller sees the error itself.
const known = ['Partial data response error', 'Plugin Request Completed'];

/** Prints the backend's warnings and errors; the rest of its log is only for debugging. */
function printWarning(line: string): void {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    // A panic, or something else that is not a log line, must not get lost.
    console.error(line);
    return;
  }
  const { '@level': level, '@message': message, error } = entry;
  if (shown.includes(String(level)) && !known.includes(String(message))) {
    console.error(`backend ${level}: ${message}${error === undefined ? '' : ` error=${error}`}`);
  }
}

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
