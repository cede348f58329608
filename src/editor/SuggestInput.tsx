import React, { type KeyboardEvent, type MouseEvent, type ReactElement, useCallback, useRef } from 'react';
import { flushSync } from 'react-dom';

import { t } from '@grafana/i18n';
import { Combobox, type ComboboxOption } from '@grafana/ui';

import { getDataSet } from '../../schema/datasets';
import { selectors } from '../selectors';
import { suggestOptions } from '../suggestions';
import { labelOfName } from '../texts';
import { type ControlProps } from './control';
import { Labeled, partLabels } from './inputs';

interface SuggestInputProps {
  id: string;
  value: string | undefined;
  placeholder?: string;
  testId: string;
  /** Label of the empty text, where it is a value. */
  emptyLabel?: string;
  /** Suggestions for what was typed. */
  load: (typed: string) => Promise<ComboboxOption[]>;
  onChange: (value: string | undefined) => void;
}

/** Free text with suggestions. */
export function SuggestInput({ id, value, placeholder, testId, emptyLabel, load, onChange }: SuggestInputProps) {
  return (
    <FreeText onText={(text) => text !== value && onChange(text)}>
      <Combobox
        id={id}
        data-testid={testId}
        width={30}
        isClearable
        createCustomValue
        placeholder={placeholder}
        options={load}
        value={value === '' ? { value, label: emptyLabel } : (value ?? null)}
        onChange={(option) => onChange(option?.value)}
      />
    </FreeText>
  );
}

interface FreeTextProps {
  /** Called with the text when the user leaves the field or presses Enter. */
  onText: (text: string) => void;
  children: ReactElement;
}

const choosing = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp'];

/**
 * Makes a combobox accept free text: the typed text counts, unless a suggestion was selected with the arrow keys or the
 * mouse. Grafana's combobox discards the text on blur (https://github.com/grafana/grafana/pull/90943), and while
 * suggestions load, Enter can select one that was not requested (https://github.com/grafana/grafana/issues/96223). Remove
 * this once a combobox with `createCustomValue` keeps the typed text on blur, Tab, and Enter.
 */
export function FreeText({ onText, children }: FreeTextProps) {
  const typed = useRef('');
  const chooses = useRef(false);
  const closes = useRef(false);

  const take = (text: string) => {
    typed.current = '';
    if (text.trim()) {
      onText(text.trim());
    }
  };

  const onKeyDownCapture = (event: KeyboardEvent<HTMLElement>) => {
    if (choosing.includes(event.key)) {
      chooses.current = true;
    } else if (event.key === 'Escape' || (event.key === 'Enter' && chooses.current)) {
      typed.current = '';
    } else if (!chooses.current && (event.key === 'Tab' || (event.key === 'Enter' && typed.current))) {
      // The combobox must not handle this key: it would select the highlighted option.
      event.stopPropagation();
      const text = typed.current;
      closes.current = true;
      closeList(event.target);
      closes.current = false;
      take(text);
    }
  };

  return (
    <div
      onInput={({ target }) => {
        typed.current = target instanceof HTMLInputElement ? target.value : '';
        chooses.current = false;
      }}
      onKeyDownCapture={onKeyDownCapture}
      // The Escape key from closeList is only meant for the combobox, not for a drawer that contains it.
      onKeyDown={(event) => closes.current && event.stopPropagation()}
      onClick={(event) => {
        if (endsTyping(event)) {
          typed.current = '';
        }
      }}
      onBlur={() => take(typed.current)}
    >
      {children}
    </div>
  );
}

/** Empties the field and closes its list without selecting an option. In a closed list, Escape would clear the value. */
function closeList(input: EventTarget) {
  if (!(input instanceof HTMLInputElement) || input.getAttribute('aria-expanded') !== 'true') {
    return;
  }
  if (input.value) {
    // React ignores the event if the value was set with its own setter, so this uses the native one.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, '');
    // In Grafana 12, the combobox restores the text if it has not rendered the change when it closes.
    flushSync(() => input.dispatchEvent(new Event('input', { bubbles: true })));
  }
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
}

/** The list is rendered in a portal, from which React events bubble up to here. A click in the field closes the list. */
function endsTyping({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('[role="option"], [role="combobox"]') !== null;
}

interface SearchInputProps extends Pick<ControlProps, 'query' | 'dataSet' | 'datasource' | 'days' | 'onChange'> {
  testId?: string;
}

/** The automation to search for, or what the data set is searched by instead. */
export function SearchInput(props: SearchInputProps) {
  const { query, dataSet, datasource, days, testId = selectors.query.search, onChange } = props;
  const findsAutomations = dataSet.searchField === dataSet.automationField;
  const source = findsAutomations ? getDataSet('automations') : dataSet;
  const load = useCallback(
    (search: string) => suggestOptions(datasource, source, source.searchField, { days, search: search || undefined }),
    [datasource, source, days]
  );
  return (
    <Labeled label={partLabels().search}>
      {({ id }) => (
        <SuggestInput
          id={id}
          testId={testId}
          value={query.search}
          placeholder={
            findsAutomations
              ? t('editor.search.automation', 'Automation label')
              : labelOfName(dataSet, dataSet.searchField)
          }
          load={load}
          onChange={(search) => onChange({ search })}
        />
      )}
    </Labeled>
  );
}
