import '../testing/dom';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { offered, option } from '../testing/editing';
import { DataSetSelect, FormatChoice } from './selects';

describe('DataSetSelect', () => {
  it('offers every data set with what it has', async () => {
    const onChange = jest.fn();
    render(<DataSetSelect name={undefined} onChange={onChange} />);
    const box = screen.getByLabelText('Data set');
    expect(box).toHaveValue('Tasks');
    const user = userEvent.setup({ delay: null });
    expect(await offered(user, box)).toEqual([
      expect.stringMatching(/^TasksOne row per task/),
      expect.stringMatching(/^AutomationsOne row per automation/),
      expect.stringMatching(/^RunnersOne row per runner/),
    ]);
    await user.click(await option('Runners'));
    expect(onChange).toHaveBeenCalledWith('runners');
  });

  it('shows a name that no data set has, which the backend will explain', () => {
    render(<DataSetSelect name={'robots' as never} onChange={jest.fn()} />);
    expect(screen.getByLabelText('Data set')).toHaveValue('robots');
  });
});

describe('FormatChoice', () => {
  const radio = (name: string) => screen.getByRole('radio', { name });

  function draw(format?: 'numeric' | 'timeseries') {
    const onChange = jest.fn();
    render(<FormatChoice format={format} onChange={onChange} />);
    return onChange;
  }

  it('shows a table where nothing is saved', () => {
    draw();
    expect(radio('Table')).toBeChecked();
  });

  it.each([
    ['numeric', 'Number'],
    ['timeseries', 'Line'],
  ] as const)('shows %s as %s', (format, name) => {
    draw(format);
    expect(radio(name)).toBeChecked();
  });

  it('changes', async () => {
    const onChange = draw();
    await userEvent.click(radio('Line'));
    expect(onChange).toHaveBeenCalledWith('timeseries');
  });
});
