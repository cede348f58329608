import React, { type ReactNode, type Ref, useRef } from 'react';
import { flushSync } from 'react-dom';

import { type IconName } from '@grafana/data';
import { Button, type ComponentSize } from '@grafana/ui';

/** Keeps the focus in a list of rows. Otherwise, it would be lost with the button that removes one. */
export function useRowButtons() {
  // The button of each row, and after them the button that adds a row.
  const buttons = useRef<Array<HTMLButtonElement | null>>([]);
  return {
    ref: (index: number) => (button: HTMLButtonElement | null) => {
      buttons.current[index] = button;
    },
    /** Changes the rows, and focuses the button that a row then has. */
    change: (index: number, change: () => void) => {
      flushSync(change);
      buttons.current[index]?.focus();
    },
  };
}

interface RowButtonProps {
  buttonRef: Ref<HTMLButtonElement>;
  disabled?: boolean;
  testId: string;
  onClick: () => void;
}

type AddButtonProps = RowButtonProps & { size?: ComponentSize; children: ReactNode };

/** The button that adds a row. */
export function AddButton({ buttonRef, testId, children, ...props }: AddButtonProps) {
  return (
    <Button {...props} ref={buttonRef} type="button" variant="secondary" icon="plus" data-testid={testId}>
      {children}
    </Button>
  );
}

/** A button of a row. It shows no text, so it has a label. */
export function RowButton({ buttonRef, testId, label, ...props }: RowButtonProps & { label: string; icon: IconName }) {
  return (
    <Button
      {...props}
      ref={buttonRef}
      type="button"
      variant="secondary"
      fill="text"
      aria-label={label}
      data-testid={testId}
    />
  );
}
