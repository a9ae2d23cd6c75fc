import type { CurrentUser } from '@sluice/contract';
import { type LinkProps, useRouter, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePreload } from '#lib/lazy-part.tsx';
import { type Area, areaOf, listScreens, type Screen } from './navigation.ts';

type RoutePath = NonNullable<LinkProps['to']>;

/** A screen that the route table has. */
export type BuiltScreen = Screen & { readonly path: RoutePath };

export interface Screens {
  /** Where the visitor is. */
  readonly area: Area;
  readonly sidebar: readonly BuiltScreen[];
  /** Screens in the avatar menu. */
  readonly menu: readonly BuiltScreen[];
  /** Those of the area that the visitor is not in. */
  readonly elsewhere: readonly BuiltScreen[];
}

/** The screens that are built and that this person may see. */
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

/** Fetches the parts of the other screens once somebody uses this one, so that going there takes no time. */
export function useWarmScreens({ sidebar, menu }: Screens): void {
  const router = useRouter();
  usePreload(async () => {
    for (const { path } of [...sidebar, ...menu]) await router.preloadRoute({ to: path });
  });
}
