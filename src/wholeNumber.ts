import { t } from '@grafana/i18n';

/** The allowed whole numbers. */
export interface Bounds {
  min: number;
  max?: number;
}

const digits = /^\d+$/;

/** The notations in which the backend accepts a number that is written as text, such as 60.0. */
export const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Parses a text as a whole number. Returns the number, nothing for an empty text, or what is wrong with it. */
export function readWholeNumber(
  text: string,
  { min, max }: Bounds,
  notation = digits
): { value?: number; problem?: string } {
  const trimmed = text.trim();
  if (trimmed === '') {
    return {};
  }
  const value = Number(trimmed);
  if (notation.test(trimmed) && Number.isSafeInteger(value) && value >= min && value <= (max ?? value)) {
    return { value };
  }
  // React escapes the text when it is shown.
  const values = { value: trimmed, min, max, interpolation: { escapeValue: false } };
  return {
    problem:
      max === undefined
        ? t('number.at-least', '"{{value}}" is not allowed: enter a whole number of at least {{min}}', values)
        : t('number.between', '"{{value}}" is not allowed: enter a whole number from {{min}} to {{max}}', values),
  };
}
