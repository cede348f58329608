import { CoreApp } from '@grafana/data';
import { renderHook } from '@testing-library/react';

import { defaultQuery, type InsightsQuery } from '../query';
import { useSavedDefault } from './useSavedDefault';

const shown: InsightsQuery = { refId: 'A', ...defaultQuery(CoreApp.UnifiedAlerting) };

it.each([CoreApp.UnifiedAlerting, CoreApp.CloudAlerting])('saves what a rule of %s shows, once', (app) => {
  const onChange = jest.fn();
  const { rerender } = renderHook(({ query }) => useSavedDefault(app, query, onChange), {
    initialProps: { query: shown },
  });
  rerender({ query: { ...shown, days: 7 } });
  expect(onChange.mock.calls).toEqual([[shown]]);
});

it.each([CoreApp.PanelEditor, CoreApp.Explore, undefined])('leaves the query to %s', (app) => {
  const onChange = jest.fn();
  renderHook(() => useSavedDefault(app, shown, onChange));
  expect(onChange).not.toHaveBeenCalled();
});
