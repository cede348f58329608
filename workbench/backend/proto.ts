import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { root } from './binary';

/** The three services of Grafana's plugin protocol that a data source without streams answers. */
export interface PluginServices {
  Data: ServiceClientConstructor;
  Resource: ServiceClientConstructor;
  Diagnostics: ServiceClientConstructor;
}

// The protocol belongs to the SDK that the backend was built with, so it is read from there and not copied.
function protoFile(): string {
  const module = 'github.com/grafana/grafana-plugin-sdk-go';
  const dir = execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', module], { cwd: root, encoding: 'utf8' }).trim();
  if (!dir) {
    throw new Error(`Go has not downloaded ${module} yet: run "go mod download" first`);
  }
  return path.join(dir, 'proto', 'backend.proto');
}

/** Loads the plugin protocol, version 2. */
export function loadServices(): PluginServices {
  const definition = loadSync(protoFile(), { keepCase: true, longs: Number, enums: String, defaults: true });
  return loadPackageDefinition(definition).pluginv2 as unknown as PluginServices;
}
