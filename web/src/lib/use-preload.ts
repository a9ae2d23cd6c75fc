import { useEffect, useEffectEvent } from 'react';
import { logFailure } from './log-failure.ts';

/** Calls back once somebody begins to use the page: time to fetch what opens over it. */
export function usePreload(onIntent: () => Promise<unknown>): void {
  const begin = useEffectEvent(() => {
    // Opening the part loads it again and reports a failure.
    onIntent().catch((error: unknown) => logFailure('Fetching ahead failed', error));
  });
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
