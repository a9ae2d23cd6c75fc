import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { PageSkeleton } from '../components/layout/page-skeleton.tsx';
import { ErrorPage } from '../pages/error.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { adminRoutes } from './admin-routes.tsx';
import { portalRoutes } from './portal-routes.tsx';
import { publicRoutes } from './public-routes.tsx';
import { rootRoute, signedInRoute } from './root-routes.tsx';

const routeTree = rootRoute.addChildren([
  ...publicRoutes,
  signedInRoute.addChildren([adminRoutes, ...portalRoutes]),
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
