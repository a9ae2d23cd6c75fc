import type { CurrentUser } from '@sluice/contract';
import { type LinkProps, useRouter, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import { isAdministrator } from '#lib/home-path.ts';
import { usePreload } from '#lib/lazy-part.tsx';
import {
  type Area,
  adminMenu,
  adminSidebar,
  areaOf,
  maySee,
  personalMenu,
  portalSidebar,
  type Screen,
  teamManagerMenu,
} from './navigation.ts';

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
    const choose = (screens: readonly Screen[]) =>
      screens.filter(isBuilt).filter((screen) => maySee(screen, user));
    const portal = [...portalSidebar, ...personalMenu];
    const [here, there] = area === 'admin' ? [adminSidebar, portalSidebar] : [portal, adminSidebar];
    const menu = [
      ...choose(adminMenu),
      ...(area === 'admin' ? choose(personalMenu) : []),
      ...(isAdministrator(user) ? [] : choose(teamManagerMenu)),
    ];
    return { area, sidebar: choose(here), menu, elsewhere: choose(there) };
  }, [router, user, area]);
}

/** Fetches the parts of the other screens once somebody uses this one, so that going there takes no time. */
export function useWarmScreens({ sidebar, menu }: Screens): void {
  const router = useRouter();
  usePreload(async () => {
    for (const { path } of [...sidebar, ...menu]) await router.preloadRoute({ to: path });
  });
}
