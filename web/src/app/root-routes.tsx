import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.tsx';
import { applyTimeZone } from '../lib/preferences.ts';
import { loadCurrentUser, mustSetUpSecondFactor } from '../lib/session.ts';
import { SignedInPending } from '../pages/signed-in-pending.tsx';

interface RouterContext {
  queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet });

const SignedInPage = lazyPage(() => import('../pages/signed-in.tsx'), 'SignedInPage');

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    void SignedInPage.preload?.();
    const user = await loadCurrentUser(context.queryClient);
    if (user === null) throw redirect({ to: '/login', search: { redirect: location.href } });
    if (mustSetUpSecondFactor(user))
      throw redirect({ to: '/second-factor', search: { redirect: location.href } });
    applyTimeZone(user);
    return { user };
  },
  pendingComponent: SignedInPending,
  pendingMs: 0,
  component: SignedInPage,
});
