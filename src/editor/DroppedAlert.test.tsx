import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { getDataSet } from '../../datasets/datasets';
import { type Dropped } from '../fit';
import { selectors } from '../selectors';
import { DroppedAlert } from './DroppedAlert';

const parts: Array<[Dropped, string]> = [
  [{ part: 'search', value: 'INV' }, 'search for INV'],
  [{ part: 'sort', value: 'successRate' }, 'sort by successRate'],
  [{ part: 'filter', value: 'state' }, 'filter on state'],
  [{ part: 'column', value: 'a/b & <c>' }, 'column a/b & <c>'],
  [{ part: 'measure', value: 'duration' }, 'measure duration'],
  [{ part: 'groupBy', value: 'state' }, 'group by state'],
  [{ part: 'timeField', value: 'dateCreation' }, 'time field dateCreation'],
];

it('names everything that was dropped', async () => {
  const onDismiss = jest.fn();
  const dropped = parts.map(([part]) => part);
  render(<DroppedAlert dropped={dropped} dataSet={getDataSet('runners')} format="numeric" onDismiss={onDismiss} />);
  const alert = screen.getByTestId(selectors.query.dropped);
  expect(alert).toHaveTextContent(`Dropped: ${parts.map(([, text]) => text).join(', ')}`);
  expect(alert).toHaveTextContent('Runners, shown as number, cannot use this');
  await userEvent.click(screen.getByRole('button'));
  expect(onDismiss).toHaveBeenCalledTimes(1);
});

it('is not there for nothing', () => {
  const { container } = render(
    <DroppedAlert dropped={[]} dataSet={getDataSet('tasks')} format={undefined} onDismiss={jest.fn()} />
  );
  expect(container).toBeEmptyDOMElement();
});
