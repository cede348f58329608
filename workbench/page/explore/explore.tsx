import { css } from '@emotion/css';
import React, { type MutableRefObject, useEffect, useRef } from 'react';

import {
  CoreApp,
  type DataSourceApi,
  type GrafanaTheme2,
  LoadingState,
  type PanelData,
  rangeUtil,
  type TimeRange,
} from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import { Alert, Button, Stack, Text, TimeRangeInput, useStyles2 } from '@grafana/ui';

import type { Plugin } from '../plugin';
import { Saved } from '../saved';
import { Results } from './results';
import { useQuery } from './use-query';

/** The user's settings in this tab. */
export interface ExploreState {
  query: DataQuery;
  range: TimeRange;
}

interface ExploreProps {
  plugin: Plugin;
  api: DataSourceApi;
  state: ExploreState;
  onChange: (state: ExploreState) => void;
}

/** The last seven days: wide enough for more than one page of tasks. */
export function defaultRange(): TimeRange {
  return rangeUtil.convertRawToRange({ from: 'now-7d', to: 'now' });
}

/** The plugin's query editor and the result as a table or graph. */
export function Explore({ plugin, api, state, onChange }: ExploreProps) {
  const styles = useStyles2(getStyles);
  const [data, runQuery] = useQuery(api);
  // Editors change and run a query at once, before React has rendered the change.
  const latestRef = useLatest(state);
  const change = (part: Partial<ExploreState>) => {
    latestRef.current = { ...latestRef.current, ...part };
    onChange(latestRef.current);
  };
  const run = () => runQuery(latestRef.current.query, latestRef.current.range);

  useEffect(() => {
    runQuery(latestRef.current.query, latestRef.current.range);
  }, [latestRef, runQuery]);

  return (
    <Stack direction="column" gap={2}>
      <Toolbar
        range={state.range}
        state={data.state}
        onChange={(range) => {
          change({ range });
          run();
        }}
        onRun={run}
      />
      <section className={styles.card} aria-label="Query">
        <QueryCard
          {...{ plugin, api, data }}
          query={state.query}
          range={state.range}
          onChange={(query) => change({ query })}
          onRun={run}
        />
      </section>
      <section className={styles.card} aria-label="Result">
        <Results data={data} />
      </section>
      <Saved value={state.query} />
    </Stack>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  card: css({
    background: theme.colors.background.primary,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
    padding: theme.spacing(2),
  }),
});

interface ToolbarProps {
  range: TimeRange;
  state: LoadingState;
  onChange: (range: TimeRange) => void;
  onRun: () => void;
}

/** Time range and run button. */
function Toolbar({ range, state, onChange, onRun }: ToolbarProps) {
  const busy = state === LoadingState.Loading;
  return (
    <Stack gap={1}>
      <TimeRangeInput value={range} onChange={onChange} />
      <Button icon={busy ? 'fa fa-spinner' : 'sync'} onClick={onRun} data-testid="workbench-run">
        Run query
      </Button>
    </Stack>
  );
}

interface QueryCardProps {
  plugin: Plugin;
  api: DataSourceApi;
  query: DataQuery;
  range: TimeRange;
  data: PanelData;
  onChange: (query: DataQuery) => void;
  onRun: () => void;
}

/** A query as in Explore: its letter, and the plugin's editor. */
function QueryCard({ plugin, api, query, range, data, onChange, onRun }: QueryCardProps) {
  const { QueryEditor } = plugin.components;
  return (
    <Stack direction="column" gap={1}>
      <Text weight="medium" color="link">
        {query.refId}
      </Text>
      {QueryEditor ? (
        <QueryEditor
          {...{ datasource: api, query, range, data, onChange }}
          onRunQuery={onRun}
          queries={[query]}
          app={CoreApp.Explore}
        />
      ) : (
        <Alert severity="warning" title="The plugin has no query editor" />
      )}
    </Stack>
  );
}

/** A ref to the latest value, for callbacks that run before the next render. */
function useLatest<T>(value: T): MutableRefObject<T> {
  const ref = useRef(value);
  useEffect(() => {
    ref.current = value;
  }, [value]);
  return ref;
}
