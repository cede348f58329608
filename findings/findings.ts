import description from './findings.json';

/** How much a finding matters: a warning is to be looked at, an error keeps the data source from working. */
export type Severity = 'ok' | 'info' | 'warning' | 'error';

/** One line of what “Save & test” found, as the backend sends it. */
export interface Finding {
  /** Names the sentence, whatever the language. */
  key?: string;
  severity: Severity;
  /** The sentence in English. */
  text: string;
  values?: Record<string, string | number>;
  /** The setting that it is about. */
  setting?: string;
  /** What to enter there. */
  value?: string | number;
}

/** The English sentences by key, with `{{name}}` in place of values. */
export const sentences: Record<string, string> = Object.fromEntries(
  Object.entries(description.findings).map(([key, { text }]) => [key, text])
);
