import description from './findings.json';

/** The severity of a finding: a warning needs attention, and an error keeps the data source from working. */
export type Severity = 'ok' | 'info' | 'warning' | 'error';

/** A line of the findings of “Save & test”, as the backend sends it. */
export interface Finding {
  /** Identifies the sentence in any language. */
  key?: string;
  severity: Severity;
  /** The sentence in English. */
  text: string;
  values?: Record<string, string | number>;
  /** The setting that it refers to. */
  setting?: string;
  /** The suggested value. */
  value?: string | number;
}

/** The English sentences by key, with `{{name}}` as placeholders for values. */
export const sentences: Record<string, string> = Object.fromEntries(
  Object.entries(description.findings).map(([key, { text }]) => [key, text])
);
