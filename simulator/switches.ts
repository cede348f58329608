import type { SimulatorOptions } from './options';

/** What a test can switch while the service runs. */
export interface Switches extends Pick<SimulatorOptions, 'size' | 'maxPageSize' | 'taskOrder'> {
  /** Records have fields that the specification does not know. */
  unknownFields: boolean;
}

/** The switches as the options have them. */
export function switchesOf({ size, maxPageSize, taskOrder }: SimulatorOptions): Switches {
  return { size, maxPageSize, taskOrder, unknownFields: false };
}
