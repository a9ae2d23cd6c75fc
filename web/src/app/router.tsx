import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { z } from 'zod';
import { FullPageSpinner } from '../components/ui/full-page-spinner.tsx';
import { homePathOf, isAdministrator, isOwnPath } from '../lib/landing.ts';
import { loadCurrentUser } from '../lib/session.ts';
import { ErrorPage } from '../pages/error.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';

interface RouterContext {
  queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Outlet });

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/public/home.tsx'), 'HomePage'),
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: z.object({
    signup: z.literal('success').optional().catch(undefined),
    /** Where the visitor was going when the sign-in page came between. */
    redirect: z.string().refine(isOwnPath).optional().catch(undefined),
  }),
  beforeLoad: async ({ context, search }) => {
    const user = await loadCurrentUser(context.queryClient);
    if (user !== null) throw redirect({ href: search.redirect ?? homePathOf(user), replace: true });
  },
  pendingComponent: FullPageSpinner,
  pendingMs: 0,
  component: lazyRouteComponent(() => import('../pages/public/login.tsx'), 'LoginPage'),
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const user = await loadCurrentUser(context.queryClient);
    if (user === null) throw redirect({ to: '/login', search: { redirect: location.href } });
    return { user };
  },
  pendingComponent: FullPageSpinner,
  pendingMs: 0,
});

const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin',
  beforeLoad: ({ context }) => {
    if (!isAdministrator(context.user)) throw redirect({ to: '/dashboard', replace: true });
  },
  component: lazyRouteComponent(() => import('../pages/admin/shell.tsx'), 'AdminShell'),
});

const overviewRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/admin/overview.tsx'), 'OverviewPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/users',
  component: lazyRouteComponent(() => import('../pages/admin/users.tsx'), 'UsersPage'),
});

const logsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/logs',
  component: lazyRouteComponent(() => import('../pages/admin/logs.tsx'), 'LogsPage'),
});

const portalRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('../pages/portal/shell.tsx'), 'PortalShell'),
});

const dashboardRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/portal/dashboard.tsx'), 'DashboardPage'),
});

const createPartsRoute = () =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/parts',
    component: lazyRouteComponent(() => import('../pages/parts.tsx'), 'PartsPage'),
  });
// The production build knows its mode and leaves the page out.
const developmentRoutes = import.meta.env.MODE === 'production' ? [] : [createPartsRoute()];

const routeTree = rootRoute.addChildren([
  homeRoute,
  loginRoute,
  ...developmentRoutes,
  signedInRoute.addChildren([
    adminRoute.addChildren([overviewRoute, usersRoute, logsRoute]),
    portalRoute.addChildren([dashboardRoute]),
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
