import { render } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import React, { type ComponentType, useState } from 'react';

import { type ConfigProps, type Options } from '../config/options';

/** Settings as Grafana passes them to a config editor. */
export function optionsWith(parts: Partial<Options> = {}): Options {
  const options = {
    url: '',
    jsonData: {},
    secureJsonData: {},
    secureJsonFields: {},
    readOnly: false,
    name: 'Insights',
  };
  return { ...options, ...parts } as Options;
}

/** Renders a part of the config editor as Grafana does: changes are passed back to it. */
export function configure(Editor: ComponentType<ConfigProps>, parts: Partial<Options> = {}) {
  const saved = { options: optionsWith(parts) };
  const onOptionsChange = jest.fn();
  function Host() {
    const [options, setOptions] = useState(saved.options);
    return (
      <Editor
        options={options}
        onOptionsChange={(changed) => {
          onOptionsChange(changed);
          saved.options = changed;
          setOptions(changed);
        }}
      />
    );
  }
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never });
  return { user, saved, onOptionsChange, ...render(<Host />) };
}
