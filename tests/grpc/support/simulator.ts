import { after, before } from 'node:test';
import type { SimulatorOptions } from '../../../simulator';
import { Service } from './service';

export { frozen, Service } from './service';

/** Starts a simulator before the tests of a file and stops it after them. */
export function startService(options: Partial<SimulatorOptions> = {}): Service {
  const service = new Service(options);
  before(() => service.start());
  after(() => service.close());
  return service;
}
