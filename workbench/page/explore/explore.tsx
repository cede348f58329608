import { css } from '@emotion/css';
import { rangeUtil, type DataSourceApi, type GrafanaTheme2, type TimeRange } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import { Stack, useStyles2 } from '@grafana/ui';
import React, { useEffect } from 'react';
import type { Plugin } from '../plugin';
import { Inspector } from './inspector';
import { QueryCard } from './query-card';
import { Results } from './results';
import { Toolbar } from './toolbar';
import { useLatest } from './use-latest';
import { useQuery } from './use-query';

/** What a person set in this tab. */
export interface ExploreState {
  query: DataQuery;
  range: TimeRange;
}

interface Props {
  plugin: Plugin;
  api: DataSourceApi;
  state: ExploreState;
  onChange: (state: ExploreState) => void;
}

/** Seven days back: wide enough to show more than one page of tasks. */
export function defaultRange(): TimeRange {
  return rangeUtil.convertRawToRange({ from: 'now-7d', to: 'now' });
}

/** The plugin's query editor, and what came back: as a table or graph, and as Grafana's inspector shows it. */
export function Explore({ plugin, api, state, onChange }: Props) {
  const styles = useStyles2(getStyles);
  const [data, runQuery] = useQuery(api);
  // Editors change and run in one breath, before React has rendered the change.
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
      <section className={styles.card} aria-label="Inspector">
        <Inspector data={data} />
      </section>
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
