import { render, screen } from '@testing-library/react';
import React, { type ComponentProps } from 'react';

import { selectors } from '../selectors';
import { StepHelp } from './StepHelp';

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
