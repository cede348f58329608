import React, { type PropsWithChildren, useEffect, useRef } from 'react';

/** Takes the focus when what has it in here is gone, such as a button that was pressed. Otherwise, the page would have it. */
export function KeepFocus({ children }: PropsWithChildren) {
  const place = useRef<HTMLDivElement>(null);
  const isIn = useRef(false);
  useEffect(() => {
    if (isIn.current && document.activeElement === document.body) {
      place.current?.focus();
    }
  });
  return (
    // What is removed says nothing: it has had the focus until then.
    <div ref={place} tabIndex={-1} onFocus={() => (isIn.current = true)} onBlur={() => (isIn.current = false)}>
      {children}
    </div>
  );
}
