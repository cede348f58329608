import React, {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PropsWithChildren,
  useReducer,
  useRef,
} from 'react';
import { flushSync } from 'react-dom';

interface Props {
  /** Called on Enter and on Tab with what was typed. */
  onText: (text: string) => void;
  /** Any text is a value: it is also taken when the field is left, and kept when it is clicked. */
  isFree?: boolean;
  several?: boolean;
  onPaste?: (event: ClipboardEvent) => void;
}

interface Draft {
  text: string;
  /** An option was reached with the arrow keys or the mouse since then. */
  isListed: boolean;
}

const moves = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'End'];

/**
 * Makes a combobox choose only on purpose. By itself, it chooses what is highlighted when Tab leaves a list that was only
 * looked at, clears its value on Escape in a closed list, and highlights the position of its value in all options among
 * the options that are found. Here, Enter and Tab after typing choose the option that was reached with the arrow keys or
 * the mouse or, without these, take the text: a key can come before what is found for it is listed, so what is listed first
 * says nothing. Remove this once Grafana's combobox does so.
 */
export function OnPurpose({ onText, isFree, several, onPaste, children }: PropsWithChildren<Props>) {
  const draft = useRef<Draft | undefined>(undefined);
  const [, render] = useReducer((count: number) => count + 1, 0);

  const takeText = () => {
    const { text = '' } = draft.current ?? {};
    draft.current = undefined;
    if (text.trim()) {
      onText(text);
    }
  };

  const onKeyDownCapture = ({ key, target, nativeEvent }: KeyboardEvent<HTMLElement>) => {
    if (!(target instanceof HTMLInputElement)) {
      return;
    }
    const typed = draft.current;
    if (nativeEvent.isComposing || (key === 'Escape' && !isOpen(target))) {
      leaveOut(nativeEvent);
    } else if (key === 'Escape') {
      draft.current = undefined;
    } else if (typed && moves.includes(key)) {
      typed.isListed = true;
    } else if (typed && key === 'Enter') {
      if (!typed.isListed) {
        leaveOut(nativeEvent);
        takeText();
      }
      draft.current = undefined;
      if (several) {
        // The next text replaces this one.
        target.select();
      } else if (!typed.isListed && isOpen(target)) {
        // Closes the list.
        target.click();
      }
    } else if (key === 'Tab' && isOpen(target)) {
      if (!typed?.isListed) {
        takeText();
      } else if (!isHighlightedChecked(target)) {
        press(target, 'Enter');
        return;
      }
      draft.current = undefined;
      if (!several) {
        // Otherwise, it would choose what is highlighted. One with several values empties its text only if it is open.
        target.click();
      }
    }
  };

  const onChange = ({ target }: ChangeEvent<HTMLElement>) => {
    if (!(target instanceof HTMLInputElement && target.getAttribute('role') === 'combobox')) {
      return;
    }
    draft.current = { text: target.value, isListed: false };
    queueMicrotask(() => {
      // A combobox lists what it finds in another rendering, and keys that are held down come before that. React takes
      // each for a consequence of the one before, and gives up after 50.
      flushSync(render);
      if (!isFree) {
        press(target, 'Home');
      }
    });
  };

  const onClick = ({ target }: MouseEvent<HTMLElement>) => {
    if (target instanceof HTMLInputElement && isFree && !isOpen(target) && target.value) {
      // Opening the list empties the field.
      const { value, selectionStart } = target;
      queueMicrotask(() => {
        setText(target, value);
        draft.current = undefined;
        target.setSelectionRange(selectionStart, selectionStart);
      });
    }
  };

  return (
    <div
      onPaste={onPaste}
      onChange={onChange}
      onMouseMove={({ target }) => {
        if (draft.current && target instanceof Element && target.closest('[role=option]')) {
          draft.current.isListed = true;
        }
      }}
      onKeyDownCapture={onKeyDownCapture}
      onClickCapture={({ target, nativeEvent }) => {
        if (target instanceof HTMLInputElement) {
          // A click into what is being typed would close the list, and lose the text.
          draft.current && leaveOut(nativeEvent);
        } else {
          draft.current = undefined;
        }
      }}
      onClick={onClick}
      onBlur={() => isFree && takeText()}
    >
      {children}
    </div>
  );
}

const isOpen = (input: HTMLInputElement): boolean => input.getAttribute('aria-expanded') === 'true';

/** Whether the highlighted option is one of several that are selected: choosing it would remove it. */
function isHighlightedChecked(input: HTMLInputElement): boolean {
  const list = document.getElementById(input.getAttribute('aria-controls') ?? '');
  return Boolean(list?.querySelector('[aria-selected="true"] :checked'));
}

/** Keeps the combobox from handling an event: https://github.com/downshift-js/downshift#customizing-handlers */
function leaveOut(event: Event) {
  Object.assign(event, { preventDownshiftDefault: true });
}

/** Types a text. React ignores the event if the text was set with the setter that it puts in the place of this one. */
function setText(input: HTMLInputElement, text: string) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

function press(target: HTMLInputElement, key: string) {
  target.dispatchEvent(new globalThis.KeyboardEvent('keydown', { key, bubbles: true }));
}
