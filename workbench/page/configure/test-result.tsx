import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Alert, useStyles2 } from '@grafana/ui';
import React from 'react';

/** What a health check said. */
export interface TestStatus {
  ok: boolean;
  message: string;
  details?: unknown;
}

/** The message of a health check, and its details for the curious. */
export function TestResult({ ok, message, details }: TestStatus) {
  const styles = useStyles2(getStyles);
  return (
    <div data-testid="workbench-health" data-status={ok ? 'success' : 'error'}>
      <Alert severity={ok ? 'success' : 'error'} title={message}>
        {details !== undefined && (
          <details>
            <summary>Details</summary>
            <pre className={styles.details} data-testid="workbench-health-details">
              {JSON.stringify(details, undefined, 2)}
            </pre>
          </details>
        )}
      </Alert>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  details: css({ marginTop: theme.spacing(1), whiteSpace: 'pre-wrap' }),
});
