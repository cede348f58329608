import { t } from '@grafana/i18n';

/** Which whole numbers are allowed. */
export interface Bounds {
  min: number;
  max?: number;
}

/** A text read as a whole number: the number, nothing for an empty text, or what is wrong with it. */
export function readWholeNumber(text: string, { min, max }: Bounds): { value?: number; problem?: string } {
  const trimmed = text.trim();
  if (trimmed === '') {
    return {};
  }
  const value = Number(trimmed);
  if (/^\d+$/.test(trimmed) && Number.isSafeInteger(value) && value >= min && value <= (max ?? value)) {
    return { value };
  }
  // The text is shown by React, which escapes it.
  const values = { value: trimmed, min, max, interpolation: { escapeValue: false } };
  return {
    problem:
      max === undefined
        ? t('number.at-least', '“{{value}}” is not allowed: expected a whole number from {{min}} up', values)
        : t('number.between', '“{{value}}” is not allowed: expected a whole number from {{min}} to {{max}}', values),
  };
}
