import { css } from '@emotion/css';
import { pick } from 'lodash';
import React, { useState } from 'react';

import type { GrafanaTheme2 } from '@grafana/data';
import { HealthCheckError } from '@grafana/runtime';
import { Alert, type AlertVariant, Button, useStyles2 } from '@grafana/ui';

import type { Plugin } from '../plugin';
import { Saved } from '../saved';
import { type Current, saveSettings } from '../services/install';

interface Props {
  plugin: Plugin;
  current: Current;
  /** Loads the data source with the saved settings and returns it. */
  reopen: () => Promise<Current>;
}

/** Handles the result of a data source that tests itself, as Grafana does. */
async function test({ api }: Current): Promise<TestStatus> {
  try {
    const { status, message, details } = await api.testDatasource();
    return { severity: severityOf(status), message, details };
  } catch (error) {
    if (!isFailedTest(error)) {
      throw error;
    }
    return { severity: 'error', message: error.message, details: error.error.details };
  }
}

const severityOf = (status: string): AlertVariant => (status === 'warning' || status === 'error' ? status : 'success');

function isFailedTest(error: unknown): error is { message: string; error: HealthCheckError } {
  return typeof error === 'object' && error !== null && 'error' in error && error.error instanceof HealthCheckError;
}

/** The plugin's config editor with Grafana's "Save & test" below it. */
export function Configure({ plugin, current, reopen }: Props) {
  const styles = useStyles2(getConfigureStyles);
  const [options, setOptions] = useState(current.saved);
  const [busy, setBusy] = useState(false);
  const [status, setStatus] = useState<TestStatus>();
  const ConfigEditor = plugin.components.ConfigEditor!;

  const saveAndTest = async () => {
    setBusy(true);
    setStatus(undefined);
    await saveSettings(options);
    const saved = await reopen();
    // As in Grafana, a typed secret disappears from the page after it is saved.
    setOptions(saved.saved);
    setStatus(await test(saved));
    setBusy(false);
  };

  return (
    <div className={styles.column}>
      <ConfigEditor options={options} onOptionsChange={setOptions} />
      <Button className={styles.button} onClick={saveAndTest} disabled={busy} data-testid="workbench-save-and-test">
        {busy ? 'Testing…' : 'Save & test'}
      </Button>
      <div aria-live="polite">{status && <TestResult {...status} />}</div>
      <Saved value={pick(options, ['url', 'jsonData', 'secureJsonFields'])} />
    </div>
  );
}

const getConfigureStyles = (theme: GrafanaTheme2) => ({
  column: css({ maxWidth: 860 }),
  button: css({ margin: theme.spacing(2, 0) }),
});

/** The result of a test, with the two details that Grafana shows. */
interface TestStatus {
  severity: AlertVariant;
  message: string;
  details?: { message?: string; verboseMessage?: string };
}

/** The result of a test, as Grafana shows it. */
function TestResult({ severity, message, details }: TestStatus) {
  const styles = useStyles2(getTestResultStyles);
  return (
    <div data-testid="workbench-health" data-status={severity}>
      <Alert severity={severity} title={message}>
        {details?.message}
        {details?.verboseMessage && (
          <details>
            <summary>Details</summary>
            <div className={styles.details} data-testid="workbench-health-details">
              {details.verboseMessage}
            </div>
          </details>
        )}
      </Alert>
    </div>
  );
}

const getTestResultStyles = (theme: GrafanaTheme2) => ({
  details: css({ marginTop: theme.spacing(1), whiteSpace: 'pre-wrap' }),
});
