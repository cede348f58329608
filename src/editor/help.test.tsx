import { render, screen } from '@testing-library/react';
import React from 'react';

import { CoreApp, type DataFrame, FieldType, type PanelData } from '@grafana/data';

import { dataSets, measures } from '../../schema/datasets';
import { type InsightsQuery } from '../query/query';
import { selectors } from '../selectors';
import { controlFor } from '../testing/editing';
import { Help } from './help';

describe('the help of a measure', () => {
  const help = (...args: Parameters<typeof controlFor>) => {
    render(<Help {...controlFor(...args).props} />);
    return screen.queryByTestId(selectors.query.measureHelp)?.textContent;
  };

  it.each(['uptimeRate', 'downtimeRate', 'successRate'])(
    'of the rate %s says whose scale a threshold is in',
    (measure) => {
      expect(help({ queryType: 'automations', measure }, { days: 7 })).toMatch(
        /Calculated by the service over 7 days\. Thresholds apply to the service's own number\.$/
      );
    }
  );

  it('of a sum says over how many days', () => {
    expect(help({ queryType: 'automations', measure: 'savings' }, { days: 90 })).toBe(
      "Savings in the workspace's currency; requires the workspace's costs. Calculated by the service over 90 days."
    );
  });

  it.each([
    ['savings', /over 1 day\.$/],
    ['successRate', /over 1 day\. Thresholds apply/],
  ])('of %s says one day as one', (measure, said) => {
    expect(help({ queryType: 'automations', measure }, { days: 1 })).toMatch(said);
  });

  it('of a line says nothing of days up to now, which its points are not', () => {
    expect(help({ queryType: 'automations', measure: 'savings', format: 'timeseries' }, { days: 90 })).toBe(
      "Savings in the workspace's currency; requires the workspace's costs"
    );
  });

  it('of tasks says what is computed, which has a known scale', () => {
    expect(help({ queryType: 'tasks', measure: 'successRate' })).toBe(
      'Tasks with finish status SUCCESS divided by those that finished or timed out, 0 to 1; null if none has'
    );
  });

  it.each([undefined, '$measure', 'unknown'])('has nothing to say of %p', (measure) => {
    expect(help({ measure })).toBeUndefined();
  });

  it.each(
    dataSets.flatMap(({ name, ...dataSet }) => measures({ name, ...dataSet }).map((measure) => [name, measure.name]))
  )('has something to say of %s, %s', (queryType, measure) => {
    expect(help({ queryType: queryType as never, measure })).toBeTruthy();
  });
});

describe('the help of a condition', () => {
  const answer = (name: string, ...values: unknown[]) =>
    ({ refId: 'A', fields: [{ name, values }], length: values.length }) as unknown as DataFrame;
  const said = (query: Partial<InsightsQuery>, series: DataFrame[] | undefined) => {
    render(<Help {...controlFor(query).props} app={CoreApp.UnifiedAlerting} data={{ series } as PanelData} />);
    return screen.queryByTestId(selectors.query.conditionHelp)?.textContent;
  };
  const rate: Partial<InsightsQuery> = { queryType: 'automations', measure: 'successRate' };

  it.each<[string, Partial<InsightsQuery>, DataFrame[], string]>([
    ['a rate', rate, [answer('successRate', 0.94)], '0.94'],
    ['rates of a frame each', rate, [answer('successRate', 1), answer('successRate', 0.7689)], '0.769 to 1'],
    ['seconds', { measure: 'oldestQueued' }, [answer('oldestQueued', 12345.6)], '12345.6'],
    ['a count, and what is null', { measure: 'failedTasks' }, [answer('failedTasks', null, 3, 17)], '3 to 17'],
  ])('says what %s is now', (_, query, series, text) => {
    expect(said(query, series)).toBe(`The query currently returns ${text}; enter the threshold on the same scale`);
  });

  it.each<[string, Partial<InsightsQuery>, DataFrame[] | undefined]>([
    ['no answer', rate, undefined],
    ['the answer of another query', rate, [{ ...answer('successRate', 1), refId: 'B' }]],
    ['an answer without numbers', rate, [answer('successRate', null)]],
    ['the answer to another measure', rate, [answer('uptimeRate', 1)]],
  ])('says nothing of %s', (_, query, series) => {
    expect(said(query, series)).toBeUndefined();
  });
});

it('describes a result of many points', () => {
  const values = Array.from({ length: 200_000 }, (_, index) => index % 7);
  const fields = [{ name: 'tasks', type: FieldType.number, config: {}, values }];
  const series: DataFrame[] = [{ refId: 'A', length: values.length, fields }];
  const { props } = controlFor({ format: 'timeseries', measure: 'tasks' });
  render(<Help {...props} app={CoreApp.CloudAlerting} data={{ series } as PanelData} />);
  expect(screen.getByTestId(selectors.query.conditionHelp)).toHaveTextContent('0 to 6');
});
