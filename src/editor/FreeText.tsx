import React, { type KeyboardEvent, type MouseEvent, type ReactElement, useRef } from 'react';

interface Props {
  /** Called with the text when the user leaves the field or presses Enter. */
  onText: (text: string) => void;
  children: ReactElement;
}

const choosing = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp'];

/**
 * Makes a combobox around free text. Left alone, Grafana's combobox forgets what was typed when one clicks elsewhere,
 * and Enter may take a suggestion that was not asked for while others are still on their way. Here, what was typed
 * counts, unless a suggestion was chosen with the arrow keys or the mouse.
 */
export function FreeText({ onText, children }: Props) {
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
      // The combobox must not see this key: it would take what is highlighted.
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
      // The Escape from above is for the combobox alone, not for a drawer around it.
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

/** Empties the field and closes its list without choosing from it. In a closed one, Escape would clear the value. */
function closeList(input: EventTarget) {
  if (!(input instanceof HTMLInputElement) || input.getAttribute('aria-expanded') !== 'true') {
    return;
  }
  if (input.value) {
    // React looks for changes that it did not make itself, and so only sees one made past it.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, '');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
}

/** The list is drawn elsewhere in the page, but React passes its events on to here. A click in the field closes it. */
function endsTyping({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('[role="option"], [role="combobox"]') !== null;
}
