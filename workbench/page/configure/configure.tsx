import { css } from '@emotion/css';
import React, { useState } from 'react';

import type { GrafanaTheme2 } from '@grafana/data';
import { DataSourceWithBackend, HealthStatus } from '@grafana/runtime';
import { Alert, Button, useStyles2 } from '@grafana/ui';

import type { Plugin } from '../plugin';
import { type Current, saveSettings } from '../services/install';

interface Props {
  plugin: Plugin;
  current: Current;
  /** Opens the data source with what was saved, and gives it back. */
  reopen: () => Promise<Current>;
}

async function test({ api }: Current): Promise<TestStatus> {
  if (!(api instanceof DataSourceWithBackend)) {
    return { ok: false, message: 'The plugin has no backend to test' };
  }
  // What "Save & test" calls in Grafana too; asked for directly, it gives the details of a success as well.
  const { status, message, details } = await api.callHealthCheck();
  return { ok: status === HealthStatus.OK, message, details };
}

/** The plugin's config editor with Grafana's "Save & test" below it. */
export function Configure({ plugin, current, reopen }: Props) {
  const styles = useStyles2(getConfigureStyles);
  const [options, setOptions] = useState(current.saved);
  const [busy, setBusy] = useState(false);
  const [status, setStatus] = useState<TestStatus>();
  const { ConfigEditor } = plugin.components;

  const saveAndTest = async () => {
    setBusy(true);
    setStatus(undefined);
    await saveSettings(options);
    const saved = await reopen();
    // As in Grafana: what was typed as a secret is gone from the page once it is saved.
    setOptions(saved.saved);
    setStatus(await test(saved));
    setBusy(false);
  };

  return (
    <div className={styles.column}>
      {ConfigEditor ? (
        <ConfigEditor options={options} onOptionsChange={setOptions} />
      ) : (
        <Alert severity="warning" title="The plugin has no config editor" />
      )}
      <Button className={styles.button} onClick={saveAndTest} disabled={busy} data-testid="workbench-save-and-test">
        {busy ? 'Testing…' : 'Save & test'}
      </Button>
      <div aria-live="polite">{status && <TestResult {...status} />}</div>
    </div>
  );
}

const getConfigureStyles = (theme: GrafanaTheme2) => ({
  column: css({ maxWidth: 860 }),
  button: css({ margin: theme.spacing(2, 0) }),
});

/** What a health check said. */
interface TestStatus {
  ok: boolean;
  message: string;
  details?: unknown;
}

/** The message of a health check, and its details for the curious. */
function TestResult({ ok, message, details }: TestStatus) {
  const styles = useStyles2(getTestResultStyles);
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

const getTestResultStyles = (theme: GrafanaTheme2) => ({
  details: css({ marginTop: theme.spacing(1), whiteSpace: 'pre-wrap' }),
});
