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
import { tableSearch } from '../components/data-table/table-search.ts';
import { PageSkeleton } from '../components/layout/page-skeleton.tsx';
import { FullPageSpinner } from '../components/ui/full-page-spinner.tsx';
import { auditSearch } from '../features/audit-log/audit-search.ts';
import { blacklistSearch } from '../features/blacklist/blacklist-search.ts';
import { logsSearch } from '../features/logs/logs-search.ts';
import { accessSearch } from '../features/provider-access/access-search.ts';
import { tasksSearch } from '../features/tasks/tasks-search.ts';
import { teamsSearch } from '../features/teams/teams-search.ts';
import { usersSearch } from '../features/users/users-search.ts';
import { homePathOf, isAdministrator, isOwnPath } from '../lib/landing.ts';
import { loadCurrentUser } from '../lib/session.ts';
import { ErrorPage } from '../pages/error.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { SignedInPending } from '../pages/signed-in-pending.tsx';

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

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation/$token',
  component: lazyRouteComponent(() => import('../pages/public/invitation.tsx'), 'InvitationPage'),
});

const SignedInPage = lazyRouteComponent(() => import('../pages/signed-in.tsx'), 'SignedInPage');

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    void SignedInPage.preload?.();
    const user = await loadCurrentUser(context.queryClient);
    if (user === null) throw redirect({ to: '/login', search: { redirect: location.href } });
    return { user };
  },
  pendingComponent: SignedInPending,
  pendingMs: 0,
  component: SignedInPage,
});

const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin',
  beforeLoad: ({ context }) => {
    if (!isAdministrator(context.user)) throw redirect({ to: '/dashboard', replace: true });
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/admin/overview.tsx'), 'OverviewPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/users',
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import('../pages/admin/users.tsx'), 'UsersPage'),
});

const teamsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/teams',
  validateSearch: teamsSearch,
  component: lazyRouteComponent(() => import('../pages/admin/teams.tsx'), 'TeamsPage'),
});

const providerAccessRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/provider-access',
  validateSearch: accessSearch,
  component: lazyRouteComponent(() => import('../pages/admin/provider-access.tsx'), 'ProviderAccessPage'),
});

const blacklistRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/blacklist',
  validateSearch: blacklistSearch,
  component: lazyRouteComponent(() => import('../pages/admin/blacklist.tsx'), 'BlacklistPage'),
});

const tasksRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/tasks',
  validateSearch: tasksSearch,
  component: lazyRouteComponent(() => import('../pages/admin/tasks.tsx'), 'TasksPage'),
});

const logsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/logs',
  validateSearch: logsSearch,
  component: lazyRouteComponent(() => import('../pages/admin/logs.tsx'), 'LogsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/admin/settings.tsx'), 'SettingsPage'),
});

const outboxRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/outbox',
  validateSearch: tableSearch,
  component: lazyRouteComponent(() => import('../pages/admin/outbox.tsx'), 'OutboxPage'),
});

const auditLogRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/audit-log',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../pages/admin/audit-log.tsx'), 'AuditLogPage'),
});

const portalRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
});

const dashboardRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/portal/dashboard.tsx'), 'DashboardPage'),
});

const ownTeamsRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/teams',
  validateSearch: teamsSearch,
  component: lazyRouteComponent(() => import('../pages/portal/teams.tsx'), 'OwnTeamsPage'),
});

// Left out of the production build, which knows its mode.
const developmentRoutes =
  import.meta.env.MODE === 'production'
    ? []
    : [
        createRoute({
          getParentRoute: () => rootRoute,
          path: '/parts',
          component: lazyRouteComponent(() => import('../pages/parts.tsx'), 'PartsPage'),
        }),
      ];

const routeTree = rootRoute.addChildren([
  homeRoute,
  loginRoute,
  invitationRoute,
  ...developmentRoutes,
  signedInRoute.addChildren([
    adminRoute.addChildren([
      overviewRoute,
      usersRoute,
      teamsRoute,
      providerAccessRoute,
      blacklistRoute,
      tasksRoute,
      logsRoute,
      settingsRoute,
      outboxRoute,
      auditLogRoute,
    ]),
    portalRoute.addChildren([dashboardRoute, ownTeamsRoute]),
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 100,
    defaultPendingMinMs: 0,
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
