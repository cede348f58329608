import { useRef } from 'react';
import { flushSync } from 'react-dom';

/** Keeps the focus in a list of rows. Otherwise, it would be lost with the button that removes one. */
export function useRowButtons() {
  // The button of each row, and after them the button that adds a row.
  const buttons = useRef<Array<HTMLButtonElement | null>>([]);
  return {
    ref: (index: number) => (button: HTMLButtonElement | null) => {
      buttons.current[index] = button;
    },
    /** Removes a row, and focuses the button that takes the place of its own. */
    remove: (index: number, remove: () => void) => {
      flushSync(remove);
      buttons.current[index]?.focus();
    },
  };
}
