import { useRouter } from '@tanstack/react-router';
import { usePreload } from '../../lib/use-preload.ts';
import type { Screens } from './use-screens.ts';

/** Fetches the parts of the other screens once somebody uses this one, so that going there takes no time. */
export function useWarmScreens({ sidebar, menu }: Screens): void {
  const router = useRouter();
  usePreload(async () => {
    for (const { path } of [...sidebar, ...menu]) await router.preloadRoute({ to: path });
  });
}
