import { renderHook } from '@testing-library/react';

import { useNews } from './useNews';

it('knows a value that was reported before, even by an earlier drawing', () => {
  const { result, rerender } = renderHook(({ value }) => useNews(value), { initialProps: { value: { a: 1 } } });
  const early = result.current;
  expect(early({ a: 1 })).toBe(false);
  expect(early({ a: 2 })).toBe(true);
  expect(early({ a: 2 })).toBe(false);
  rerender({ value: { a: 2 } });
  expect(early({ a: 2 })).toBe(false);
});

it('takes the same value again after another one came from elsewhere', () => {
  const { result, rerender } = renderHook(({ value }) => useNews(value), { initialProps: { value: 1 } });
  expect(result.current(2)).toBe(true);
  rerender({ value: 3 });
  expect(result.current(2)).toBe(true);
});
