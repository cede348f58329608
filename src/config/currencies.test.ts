import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { getValueFormat } from '@grafana/data';

const source = readFileSync(join(__dirname, '../../pkg/frame/display.go'), 'utf8');
const codes = /grafanaCurrencies = .*"(.*)"/.exec(source)?.[1].split(' ') ?? [];
const shown = (unit: string) => {
  const { prefix = '', text, suffix = '' } = getValueFormat(unit)(12, 0);
  return prefix + text + suffix;
};

// Grafana appends an unknown unit to the number, unchanged.
it('knows currencies that Grafana has', () => {
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => shown(`currency${code}`).includes('currency'))).toEqual([]);
});

it('writes the code of any other before the number', () => {
  expect(shown('currencyARS')).toContain('currency');
  expect(shown('currency:ARS ')).toBe('ARS 12');
});
