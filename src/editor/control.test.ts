import { renderHook } from '@testing-library/react';

import { createDataFrame, getDefaultTimeRange, LoadingState, type PanelData } from '@grafana/data';

import { getDataSet } from '../../schema/datasets';
import { dataSourceWith } from '../testing/datasource';
import { fieldOptions, seenFields, useChanged } from './control';

describe('fieldOptions', () => {
  const runners = getDataSet('runners');

  it('are fields as people call them, names without a description, and variables apart', () => {
    const { datasource } = dataSourceWith([], { x: { value: '' } });
    expect(
      fieldOptions({
        datasource,
        dataSet: { ...runners, fields: runners.fields.slice(0, 1), derived: [] },
        seenFields: ['region'],
      })
    ).toEqual([
      { value: '_id', label: 'Runner', description: '_id · Runner identifier' },
      { value: 'region' },
      { value: '${x}', group: 'Variables' },
    ]);
  });

  describe('seenFields', () => {
    const seen = (...frames: Array<[string, string[]]>) => {
      const series = frames.map(([refId, names]) =>
        createDataFrame({ refId, fields: names.map((name) => ({ name })) })
      );
      const data: PanelData = { state: LoadingState.Done, timeRange: getDefaultTimeRange(), series };
      return seenFields(data, 'A', runners);
    };

    it('are those of a table that no description has, each once', () => {
      expect(seen(['A', ['_id', 'region', 'zone']], ['A', ['tasks', 'region']])).toEqual(['region', 'zone']);
    });

    it('are not those of another query', () => {
      expect(seen(['B', ['_id', 'region']])).toEqual([]);
    });

    it('are not those of a line, whose fields are no columns', () => {
      expect(seen(['A', ['time', 'Value']])).toEqual([]);
    });

    it('are not those that the plugin derives', () => {
      const tasks = getDataSet('tasks');
      const series = [
        createDataFrame({ refId: 'A', fields: [{ name: 'id' }, { name: 'duration' }, { name: 'region' }] }),
      ];
      const data: PanelData = { state: LoadingState.Done, timeRange: getDefaultTimeRange(), series };
      expect(seenFields(data, 'A', tasks)).toEqual(['region']);
    });

    it('are not known before there is an answer', () => {
      expect(seenFields(undefined, 'A', runners)).toEqual([]);
    });
  });
});

describe('useChanged', () => {
  it('knows a value that was reported before, even by an earlier drawing', () => {
    const { result, rerender } = renderHook(({ value }) => useChanged(value), { initialProps: { value: { a: 1 } } });
    const early = result.current;
    expect(early({ a: 1 })).toBe(false);
    expect(early({ a: 2 })).toBe(true);
    expect(early({ a: 2 })).toBe(false);
    rerender({ value: { a: 2 } });
    expect(early({ a: 2 })).toBe(false);
  });

  it('takes the same value again after another one came from elsewhere', () => {
    const { result, rerender } = renderHook(({ value }) => useChanged(value), { initialProps: { value: 1 } });
    expect(result.current(2)).toBe(true);
    rerender({ value: 3 });
    expect(result.current(2)).toBe(true);
  });
});
