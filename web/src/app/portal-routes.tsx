import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { chatSearch } from '../features/chats/search.ts';
import { teamsSearch } from '../features/teams/search.ts';
import { signedInRoute } from './root-routes.tsx';

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

const chatRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/chat',
  validateSearch: chatSearch,
  component: lazyRouteComponent(() => import('../pages/portal/chat.tsx'), 'ChatPage'),
});

export const portalRoutes = [portalRoute.addChildren([dashboardRoute, ownTeamsRoute]), chatRoute] as const;
