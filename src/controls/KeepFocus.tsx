import { findLastIndex } from 'lodash';
import React, { type PropsWithChildren, useEffect, useRef } from 'react';

const focusable = ':is(a[href], button, input, textarea, select, [tabindex="0"]):not(:disabled)';

/**
 * Gives the focus to a neighbor when what has it in here is gone, such as a button that was pressed: to what then is in its
 * place, or else to what is before it. Otherwise, the page would have it.
 */
export function KeepFocus({ children }: PropsWithChildren) {
  const place = useRef<HTMLDivElement>(null);
  /** What could take the focus, up to what has it. */
  const before = useRef<Element[]>(undefined);
  const now = () => [...(place.current?.querySelectorAll<HTMLElement>(focusable) ?? [])];
  useEffect(() => {
    if (before.current && document.activeElement === document.body) {
      const all = now();
      const last = findLastIndex(all, (each) => Boolean(before.current?.includes(each)));
      (all[last + 1] ?? all[last])?.focus();
    }
  });
  const remember = ({ target }: { target: Element }) => {
    const all = now();
    before.current = all.slice(0, all.findIndex((each) => each === target) + 1);
  };
  return (
    // What is removed says nothing: it has had the focus until then.
    <div ref={place} style={{ display: 'contents' }} onFocus={remember} onBlur={() => (before.current = undefined)}>
      {children}
    </div>
  );
}
