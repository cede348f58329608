import { t } from '@grafana/i18n';

/** The allowed numbers. */
export type Bounds = { min: number; max?: number };

const digits = /^\d+$/;

/** The notations in which the backend accepts a number that is written as text, such as 60.0. */
export const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A number, nothing for an empty text, or what is wrong with it. */
type Read = { value?: number; problem?: string };

/** Parses a text as a whole number. */
export function readWholeNumber(text: string, { min, max }: Bounds, notation = digits): Read {
  return read(text, { min, max }, notation, Number.isSafeInteger, (values) =>
    max === undefined
      ? t('number.at-least', '"{{value}}" is not allowed: enter a whole number of at least {{min}}', values)
      : t('number.between', '"{{value}}" is not allowed: enter a whole number from {{min}} to {{max}}', values)
  );
}

/** Parses a text as a number, in the notations of the backend. */
export function readNumber(text: string, bounds: Required<Bounds>): Read {
  return read(text, bounds, decimal, Number.isFinite, (values) =>
    t('number.any-between', '"{{value}}" is not allowed: enter a number from {{min}} to {{max}}, such as 0.5', values)
  );
}

function read(
  text: string,
  { min, max }: Bounds,
  notation: RegExp,
  isAllowed: (value: number) => boolean,
  problem: (values: Record<string, unknown>) => string
): Read {
  const trimmed = text.trim();
  if (trimmed === '') {
    return {};
  }
  const value = Number(trimmed);
  if (notation.test(trimmed) && isAllowed(value) && value >= min && value <= (max ?? value)) {
    return { value };
  }
  // React escapes the text when it is shown.
  return { problem: problem({ value: trimmed, min, max, interpolation: { escapeValue: false } }) };
}
