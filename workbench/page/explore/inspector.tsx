import { css } from '@emotion/css';
import React, { useState } from 'react';

import {
  dataFrameToJSON,
  FieldType,
  formattedValueToString,
  getDisplayProcessor,
  type GrafanaTheme2,
  type PanelData,
  type QueryResultMetaNotice,
} from '@grafana/data';
import { Tab, TabContent, TabsBar, useStyles2, useTheme2 } from '@grafana/ui';

const views = ['Stats', 'Query', 'Notices', 'JSON'] as const;

type View = (typeof views)[number];

// Enough to see the contents of a frame; a hundred thousand rows of JSON would only freeze the page.
const jsonLimit = 20_000;

function jsonOf({ series, errors }: PanelData): string {
  const text = JSON.stringify({ errors, frames: series.map((frame) => dataFrameToJSON(frame)) }, undefined, 2);
  return text.length > jsonLimit ? `${text.slice(0, jsonLimit)}\n… ${text.length - jsonLimit} more characters` : text;
}

/** Shows a response as Grafana's query inspector does. */
export function Inspector({ data }: { data: PanelData }) {
  const [view, setView] = useState<View>('Stats');
  return (
    <div data-testid="workbench-inspector">
      <TabsBar>
        {views.map((name) => (
          <Tab
            key={name}
            label={name}
            active={name === view}
            counter={name === 'Notices' ? noticesOf(data).length : undefined}
            onChangeTab={() => setView(name)}
            data-testid={`workbench-inspector-${name.toLowerCase()}`}
          />
        ))}
      </TabsBar>
      <TabContent>
        <InspectorView view={view} data={data} />
      </TabContent>
    </div>
  );
}

function InspectorView({ view, data }: { view: View; data: PanelData }) {
  const styles = useStyles2(getStyles);
  const theme = useTheme2();
  switch (view) {
    case 'Stats':
      return (
        <dl className={styles.stats} data-testid="workbench-stats">
          {statsOf(data, theme).map(({ name, value }) => (
            <React.Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </React.Fragment>
          ))}
        </dl>
      );
    case 'Query':
      return (
        <pre className={styles.text} data-testid="workbench-executed-query">
          {executedQueries(data).join('\n') || 'Nothing was sent'}
        </pre>
      );
    case 'Notices':
      return (
        <ul className={styles.text} data-testid="workbench-notices">
          {noticesOf(data).map(({ severity, text }) => (
            <li key={text}>
              {severity}: {text}
            </li>
          ))}
        </ul>
      );
    case 'JSON':
      return (
        <pre className={styles.text} data-testid="workbench-json">
          {jsonOf(data)}
        </pre>
      );
  }
}

const getStyles = (theme: GrafanaTheme2) => ({
  stats: css({
    display: 'grid',
    gridTemplateColumns: 'max-content max-content',
    gap: theme.spacing(0.5, 4),
    margin: theme.spacing(2, 0, 0),
    '& dt': { fontWeight: theme.typography.fontWeightRegular, color: theme.colors.text.secondary },
    '& dd': { margin: 0, fontVariantNumeric: 'tabular-nums' },
  }),
  text: css({ margin: theme.spacing(2, 0, 0), maxHeight: 360, overflow: 'auto', whiteSpace: 'pre-wrap' }),
});

/** A statistic in the inspector's list. */
export interface Stat {
  name: string;
  value: string;
}

/** The notices of all frames, without duplicates. */
export function noticesOf({ series }: PanelData): QueryResultMetaNotice[] {
  const notices = series.flatMap(({ meta }) => meta?.notices ?? []);
  return notices.filter(({ text }, index) => notices.findIndex((other) => other.text === text) === index);
}

/** The statistics of the data source, and the duration of the whole request. */
function statsOf({ series, request }: PanelData, theme: GrafanaTheme2): Stat[] {
  const stats = series
    .flatMap(({ meta }) => meta?.stats ?? [])
    .map(({ displayName = '', value, ...config }) => {
      const display = getDisplayProcessor({ field: { type: FieldType.number, config }, theme });
      return { name: displayName, value: formattedValueToString(display(value)) };
    });
  const took = request?.endTime === undefined ? undefined : request.endTime - request.startTime;
  const own = [
    { name: 'Total request time', value: took === undefined ? '–' : `${took} ms` },
    { name: 'Rows', value: String(series.reduce((sum, { length }) => sum + length, 0)) },
  ];
  return [...own, ...stats];
}

/** The requests that the data source made, as it reports them. */
function executedQueries({ series }: PanelData): string[] {
  return [...new Set(series.flatMap(({ meta }) => meta?.executedQueryString ?? []))];
}
