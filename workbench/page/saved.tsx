import React from 'react';

/** What is saved of what an editor shows, as a dashboard or a provisioning file contains it. */
export function Saved({ value }: { value: object }) {
  return (
    <details data-testid="workbench-saved">
      <summary>Saved</summary>
      <pre>{JSON.stringify(value, undefined, 2)}</pre>
    </details>
  );
}
