import type { CurrentUser } from '@sluice/contract';
import { type LinkProps, useRouter, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePreload } from '#lib/lazy-part.tsx';
import { type Area, areaOf, listScreens, type Screen } from './navigation.ts';

type RoutePath = NonNullable<LinkProps['to']>;

export type BuiltScreen = Screen & { readonly path: RoutePath };

export interface Screens {
  /** Area of the current page. */
  readonly area: Area;
  readonly sidebar: readonly BuiltScreen[];
  readonly menu: readonly BuiltScreen[];
  readonly elsewhere: readonly BuiltScreen[];
}

export function useScreens(user: CurrentUser): Screens {
  const router = useRouter();
  const area = useRouterState({ select: (state) => areaOf(state.location.pathname) });
  return useMemo(() => {
    const isBuilt = (screen: Screen): screen is BuiltScreen =>
      Object.hasOwn(router.routesByPath, screen.path);
    const { sidebar, menu, elsewhere } = listScreens(area, user);
    return {
      area,
      sidebar: sidebar.filter(isBuilt),
      menu: menu.filter(isBuilt),
      elsewhere: elsewhere.filter(isBuilt),
    };
  }, [router, user, area]);
}

/** Preloads the code of the other screens after the first interaction. */
export function useWarmScreens({ sidebar, menu }: Screens): void {
  const router = useRouter();
  usePreload(async () => {
    for (const { path } of [...sidebar, ...menu]) await router.preloadRoute({ to: path });
  });
}
