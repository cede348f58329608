import { isEqual } from 'lodash';
import { useEffect, useRef } from 'react';

/**
 * Says whether a value is another one than the last. Grafana's combobox may report one choice several times, also
 * from before the choice was drawn; without this, each report would run the query again.
 */
export function useNews<T>(current: T): (value: T) => boolean {
  const last = useRef(current);
  useEffect(() => {
    last.current = current;
  }, [current]);
  return (value) => {
    const isNews = !isEqual(value, last.current);
    last.current = value;
    return isNews;
  };
}
