import { useEffect } from 'react';

/** Fetches a part of the page once somebody begins to use it. Keep `load` the same from render to render. */
export function useFetchOnIntent(load: () => Promise<unknown>): void {
  useEffect(() => {
    const intent = new AbortController();
    const fetchOnce = () => {
      intent.abort();
      void load();
    };
    for (const event of ['pointermove', 'pointerdown', 'keydown']) {
      window.addEventListener(event, fetchOnce, { signal: intent.signal });
    }
    return () => intent.abort();
  }, [load]);
}
