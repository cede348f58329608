import { css } from '@emotion/css';
import React, { type MutableRefObject, useEffect, useRef } from 'react';

import {
  CoreApp,
  type DataSourceApi,
  type GrafanaTheme2,
  LoadingState,
  rangeUtil,
  type TimeRange,
} from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import { Button, Stack, Text, TimeRangeInput, useStyles2 } from '@grafana/ui';

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
  const { query, range } = state;
  const QueryEditor = plugin.components.QueryEditor!;
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
      <Stack gap={1}>
        <TimeRangeInput
          value={range}
          onChange={(range) => {
            change({ range });
            run();
          }}
        />
        <Button icon={data.state === LoadingState.Loading ? 'fa fa-spinner' : 'sync'} onClick={run}>
          Run query
        </Button>
      </Stack>
      <section className={styles.card} aria-label="Query">
        <Stack direction="column" gap={1}>
          <Text weight="medium" color="link">
            {query.refId}
          </Text>
          <QueryEditor
            {...{ datasource: api, query, range, data, queries: [query], app: CoreApp.Explore }}
            onChange={(query) => change({ query })}
            onRunQuery={run}
          />
        </Stack>
      </section>
      <section className={styles.card} aria-label="Result">
        <Results data={data} />
      </section>
      <Saved value={query} />
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

/** A ref to the latest value, for callbacks that run before the next render. */
function useLatest<T>(value: T): MutableRefObject<T> {
  const ref = useRef(value);
  useEffect(() => {
    ref.current = value;
  }, [value]);
  return ref;
}
