import React from 'react';

import { Advanced } from './Advanced';
import { Connection } from './Connection';
import { type ConfigProps } from './options';

/** Settings of a data source. Grafana itself says so when they are provisioned and cannot be changed. */
export function ConfigEditor(props: ConfigProps) {
  return (
    <>
      <Connection {...props} />
      <Advanced {...props} />
    </>
  );
}
