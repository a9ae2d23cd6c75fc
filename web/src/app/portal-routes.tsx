import { createRoute, redirect } from '@tanstack/react-router';
import { chatSearch } from '../features/chats/search.ts';
import { taskHistorySearch } from '../features/task-history/search.ts';
import { teamsSearch } from '../features/teams/search.ts';
import { usageSearch } from '../features/usage/search.ts';
import { mayAdminister } from '../lib/home-path.ts';
import { lazyPage } from '../lib/lazy-page.tsx';
import { signedInRoute } from './root-routes.tsx';

const portalRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
});

const dashboardRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/',
  component: lazyPage(() => import('../pages/portal/dashboard.tsx'), 'DashboardPage'),
});

const ownTeamsRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/teams',
  validateSearch: teamsSearch,
  beforeLoad: ({ context, search }) => {
    // Administrators manage teams in the console.
    if (mayAdminister(context.user)) throw redirect({ to: '/admin/teams', search, replace: true });
    if (!context.user.role.permissions.includes('teams.manage'))
      throw redirect({ to: '/dashboard', replace: true });
  },
  component: lazyPage(() => import('../pages/portal/teams.tsx'), 'OwnTeamsPage'),
});

const chatRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/chat',
  validateSearch: chatSearch,
  component: lazyPage(() => import('../pages/portal/chat.tsx'), 'ChatPage'),
});

const usageRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/usage',
  validateSearch: usageSearch,
  component: lazyPage(() => import('../pages/portal/usage.tsx'), 'UsagePage'),
});

const historyRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/history',
  validateSearch: taskHistorySearch,
  component: lazyPage(() => import('../pages/portal/history.tsx'), 'TaskHistoryPage'),
});

const ownTasksRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/tasks',
  component: lazyPage(() => import('../pages/portal/tasks.tsx'), 'OwnTasksPage'),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/api-keys',
  component: lazyPage(() => import('../pages/portal/api-keys.tsx'), 'OwnApiKeyPage'),
});

const profileRoute = createRoute({
  getParentRoute: () => portalRoute,
  path: '/profile',
  component: lazyPage(() => import('../pages/portal/profile.tsx'), 'ProfilePage'),
});

export const portalRoutes = [
  portalRoute.addChildren([
    dashboardRoute,
    usageRoute,
    historyRoute,
    ownTasksRoute,
    apiKeysRoute,
    profileRoute,
    ownTeamsRoute,
  ]),
  chatRoute,
] as const;
