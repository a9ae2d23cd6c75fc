import { useEffect, useEffectEvent } from 'react';

/** Calls back once somebody begins to use the page: time to fetch what opens over it. */
export function useOnIntent(onIntent: () => unknown): void {
  const begin = useEffectEvent(onIntent);
  useEffect(() => {
    const intent = new AbortController();
    const beginOnce = () => {
      intent.abort();
      begin();
    };
    for (const event of ['pointermove', 'pointerdown', 'keydown']) {
      window.addEventListener(event, beginOnce, { signal: intent.signal });
    }
    return () => intent.abort();
  }, []);
}
