import React, { lazy, Suspense } from 'react';

import { type ConfigProps } from './options';

const Editor = lazy(async () => ({ default: (await import('./ConfigEditor')).ConfigEditor }));

/** The settings, loaded when they are opened: dashboards don't need them. */
export function ConfigEditor(props: ConfigProps) {
  return (
    <Suspense fallback={null}>
      <Editor {...props} />
    </Suspense>
  );
}
