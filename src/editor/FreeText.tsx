import React, { type KeyboardEvent, type ReactElement, useRef } from 'react';

interface Props {
  /** Called with the text when the user leaves the field or presses Enter. */
  onText: (text: string) => void;
  children: ReactElement;
}

const choosing = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp'];

/**
 * Makes a combobox around free text. Left alone, Grafana's combobox forgets what was typed when the focus leaves it,
 * and Enter may take a suggestion that was not asked for while others are still on their way. Here, what was typed
 * counts, unless a suggestion was chosen with the arrow keys or the mouse.
 */
export function FreeText({ onText, children }: Props) {
  const typed = useRef('');
  const chooses = useRef(false);

  const onKeyDownCapture = (event: KeyboardEvent<HTMLElement>) => {
    if (choosing.includes(event.key)) {
      chooses.current = true;
    } else if (event.key === 'Escape' || (event.key === 'Enter' && chooses.current)) {
      typed.current = '';
    } else if ((event.key === 'Enter' || event.key === 'Tab') && typed.current.trim() && !chooses.current) {
      // Leaving by hand closes the list without choosing from it; a Tab then moves on from here as usual.
      event.stopPropagation();
      blurActive(event.target);
    }
  };

  return (
    <div
      onInput={(event) => {
        typed.current = event.target instanceof HTMLInputElement ? event.target.value : '';
        chooses.current = false;
      }}
      onKeyDownCapture={onKeyDownCapture}
      onClick={(event) => {
        // The list is drawn elsewhere in the page, but React passes its events on to here.
        if (event.target instanceof Element && event.target.closest('[role="option"]')) {
          typed.current = '';
        }
      }}
      onBlur={() => {
        const text = typed.current.trim();
        typed.current = '';
        if (text) {
          onText(text);
        }
      }}
    >
      {children}
    </div>
  );
}

function blurActive(target: EventTarget) {
  if (target instanceof HTMLElement) {
    target.blur();
  }
}
