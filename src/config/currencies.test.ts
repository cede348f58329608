import { getValueFormat } from '@grafana/data';

const shown = (unit: string) => {
  const { prefix = '', text, suffix = '' } = getValueFormat(unit)(10_620.5, 2);
  return prefix + text + suffix;
};

// Grafana abbreviates other units of money, and appends an unknown unit to the number, unchanged.
it('is written whole, by the units of pkg/frame/display.go', () => {
  expect(shown('currency:financial:R$')).toBe('R$10,620.50');
  expect(shown('currency:financial:ARS ')).toBe('ARS 10,620.50');
});
