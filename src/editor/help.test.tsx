import { render, screen } from '@testing-library/react';
import React, { type ComponentProps } from 'react';

import { dataSets, measures } from '../../datasets/datasets';
import { selectors } from '../selectors';
import { controlFor } from '../testing/editing';
import { MeasureHelp, StepHelp } from './help';

describe('MeasureHelp', () => {
  const help = (...args: Parameters<typeof controlFor>) => {
    render(<MeasureHelp {...controlFor(...args).props} />);
    return screen.queryByTestId(selectors.query.measureHelp)?.textContent;
  };

  it.each(['uptimeRate', 'downtimeRate', 'successRate'])(
    'of the rate %s says whose scale a threshold is in',
    (measure) => {
      expect(help({ queryType: 'automations', measure }, { days: 7 })).toMatch(
        /Reported by the service over 7 days: a threshold means the service’s own number\.$/
      );
    }
  );

  it('of a sum says over how many days', () => {
    expect(help({ queryType: 'automations', measure: 'savings' }, { days: 90 })).toBe(
      "Savings in the workspace's currency; needs the workspace's costs. Reported by the service over 90 days."
    );
  });

  it('of a line says nothing of days up to now, which its points are not', () => {
    expect(help({ queryType: 'automations', measure: 'savings', format: 'timeseries' }, { days: 90 })).toBe(
      "Savings in the workspace's currency; needs the workspace's costs"
    );
  });

  it('of tasks says what is computed, which has a known scale', () => {
    expect(help({ queryType: 'tasks', measure: 'successRate' })).toBe(
      'Tasks with finish status SUCCESS among finished tasks, 0 to 1; null when none has finished'
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

describe('StepHelp', () => {
  const said = (props: ComponentProps<typeof StepHelp>) => {
    render(<StepHelp {...props} />);
    return screen.getByTestId(selectors.query.stepHelp).textContent;
  };

  const point = 'Each point is what was added up in one step of whole days of 24 hours, counted back from now.';

  it.each([
    ['30m', 1_800_000],
    ['23h', 82_800_000],
  ])('says that a day is the least where the interval is %s', (interval, intervalMs) => {
    expect(said({ interval, intervalMs })).toBe(
      `${point}The interval of the panel, ${interval}, is shorter than a day: each point covers 1 day, or more in a long range.`
    );
  });

  it.each([
    ['1d', 86_400_000],
    ['7d', 604_800_000],
    [undefined, undefined],
  ])('says what a point is, and no more, where the interval is %s', (interval, intervalMs) => {
    expect(said({ interval, intervalMs })).toBe(point);
  });
});
