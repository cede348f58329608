import {
  FieldType,
  formattedValueToString,
  getDisplayProcessor,
  type GrafanaTheme2,
  type PanelData,
  type QueryResultMetaNotice,
} from '@grafana/data';

/** A statistic as the inspector's list shows it. */
export interface Stat {
  name: string;
  value: string;
}

/** Every notice of every frame; the same one once. */
export function noticesOf({ series }: PanelData): QueryResultMetaNotice[] {
  const notices = series.flatMap(({ meta }) => meta?.notices ?? []);
  return notices.filter(({ text }, index) => notices.findIndex((other) => other.text === text) === index);
}

/** What the data source told about its work, and how long the whole request took. */
export function statsOf({ series, request }: PanelData, theme: GrafanaTheme2): Stat[] {
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

/** The requests that the data source made, as it tells them. */
export function executedQueries({ series }: PanelData): string[] {
  return [...new Set(series.flatMap(({ meta }) => meta?.executedQueryString ?? []))];
}
