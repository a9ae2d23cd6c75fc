import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same from render to render and does what the latest one does; for event handlers only. */
export function useStable<Arguments extends readonly unknown[], Result>(
  callback: (...values: Arguments) => Result,
): (...values: Arguments) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...values) => latest.current(...values), []);
}
