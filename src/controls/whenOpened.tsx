import React, { type ComponentType, lazy, Suspense } from 'react';

/** An editor that is loaded when it is opened: dashboards don't need it. */
export function whenOpened<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Editor = lazy(async () => ({ default: await load() }));
  return function WhenOpened(props: P) {
    return (
      <Suspense fallback={null}>
        <Editor {...props} />
      </Suspense>
    );
  };
}
