import { useCallback, useLayoutEffect, useRef } from 'react';

/** Returns a function with a stable identity that calls the latest `callback`. For event handlers only. */
export function useStable<Arguments extends readonly unknown[], Result>(
  callback: (...values: Arguments) => Result,
): (...values: Arguments) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...values) => latest.current(...values), []);
}
