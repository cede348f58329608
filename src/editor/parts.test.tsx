import '../testing/dom';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';

import { controlFor, option, options } from '../testing/editing';
import { controls, DataSetChoice, FormatChoice } from './parts';

describe('DataSetChoice', () => {
  it('offers every data set', async () => {
    const onChange = jest.fn();
    render(<DataSetChoice value={undefined} onChange={onChange} />);
    expect(screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent?.trim())).toEqual([
      'Tasks',
      'Automations',
      'Runners',
    ]);
    expect(screen.getByRole('radio', { name: 'Tasks' })).toBeChecked();
    await userEvent.click(screen.getByRole('radio', { name: 'Runners' }));
    expect(onChange.mock.calls).toEqual([['runners']]);
  });

  it('shows a name that no data set has, which the backend will explain', () => {
    render(<DataSetChoice value={'robots' as never} onChange={jest.fn()} />);
    expect(screen.getByRole('radio', { name: 'robots' })).toBeChecked();
  });
});

describe('FormatChoice', () => {
  const radio = (name: string) => screen.getByRole('radio', { name });

  function draw(format?: 'numeric' | 'timeseries') {
    const onChange = jest.fn();
    render(<FormatChoice offered={['table', 'numeric', 'timeseries']} value={format} onChange={onChange} />);
    return onChange;
  }

  it('shows a table where nothing is saved', () => {
    draw();
    expect(radio('Table')).toBeChecked();
  });

  it.each([
    ['numeric', 'Number'],
    ['timeseries', 'Time series'],
  ] as const)('shows %s as %s', (format, name) => {
    draw(format);
    expect(radio(name)).toBeChecked();
  });

  it('changes', async () => {
    const onChange = draw();
    await userEvent.click(radio('Time series'));
    expect(onChange).toHaveBeenCalledWith('timeseries');
  });
});

describe('a field', () => {
  it('is found by its label', async () => {
    const { props, onChange } = controlFor({ queryType: 'automations' });
    render(<controls.columns {...props} />);
    const user = userEvent.setup({ delay: null });
    await user.type(screen.getByLabelText('Columns'), 'failed it');
    await waitFor(() =>
      expect(options().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Failed items/)])
    );
    await user.click(await option('Failed items'));
    expect(onChange).toHaveBeenCalledWith({ columns: ['sumItemsError'] });
  });

  it('is shown by its label, and one without a label by its name', () => {
    render(<controls.measure {...controlFor({ format: 'numeric', measure: 'failedTasks' }).props} />);
    render(<controls.timeField {...controlFor({ timeField: 'dateUnknown' as never }).props} />);
    expect(screen.getByLabelText('Measure')).toHaveValue('Failed tasks');
    expect(screen.getByLabelText('Time field')).toHaveValue('dateUnknown');
  });
});
