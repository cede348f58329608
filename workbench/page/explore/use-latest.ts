import { useEffect, useRef, type MutableRefObject } from 'react';

/** A ref that always holds the newest value, for callbacks that run before the next render. */
export function useLatest<T>(value: T): MutableRefObject<T> {
  const ref = useRef(value);
  useEffect(() => {
    ref.current = value;
  }, [value]);
  return ref;
}
