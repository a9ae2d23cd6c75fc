import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Screens } from './use-screens.ts';

/** Fetches the parts of the other screens while nothing else is going on, so that going there takes no time. */
export function useWarmScreens({ sidebar, menu }: Screens): void {
  const router = useRouter();
  useEffect(() => {
    const warm = () => {
      for (const { path } of [...sidebar, ...menu]) void router.preloadRoute({ to: path });
    };
    // Safari has no idle callbacks.
    const timer = setTimeout(() => (window.requestIdleCallback ?? setTimeout)(warm), settledMs);
    return () => clearTimeout(timer);
  }, [router, sidebar, menu]);
}

/** By then the first page has asked for what it shows. */
const settledMs = 1000;
