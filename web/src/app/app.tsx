import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { ApiError } from '@sluice/contract';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { FailedParts } from '../components/layout/failed-parts.tsx';
import { PageSkeleton } from '../components/layout/shell-skeleton.tsx';
import { ConfirmProvider } from '../components/ui/confirm.tsx';
import { themeManager } from '../lib/appearance.ts';
import { holdCalls } from '../lib/held-calls.ts';
import { lazyPart, useEverTrue, usePreload } from '../lib/lazy-part.tsx';
import { adoptSession, currentUserQuery } from '../lib/session.ts';
import { onSessionChange, readToken } from '../lib/token.ts';
import { ErrorPage, NotFoundPage } from '../pages/error.tsx';
import { adminRoutes } from './admin-routes.tsx';
import { portalRoutes } from './portal-routes.tsx';
import { publicRoutes } from './public-routes.tsx';
import { rootRoute, signedInRoute } from './root-routes.tsx';
import { resolveCssVariables, theme } from './theme.ts';

const routeTree = rootRoute.addChildren([
  ...publicRoutes,
  signedInRoute.addChildren([adminRoutes, ...portalRoutes]),
]);

function createAppRouter(queryClient: QueryClient) {
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

const ToastHost = lazyPart(() => import('../components/ui/toast-host.tsx'), 'ToastHost');

/** Rendered with the first interaction or toast. Screen readers announce a toast only if the host already exists. */
function Toasts() {
  const [isUsed, setUsed] = useState(false);
  usePreload(async () => setUsed(true));
  const { notifications } = useNotifications();
  return useEverTrue(isUsed || notifications.length > 0) && <ToastHost />;
}

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

// The page remains open when its session ends. SessionDialog opens over the page.
onSessionChange(() => {
  const isPageOpen = router.state.matches.some(({ routeId }) => routeId === signedInRoute.id);
  if (readToken() === null && isPageOpen) holdCalls();
  else void adoptSession(queryClient, router);
});

// Libraries that add style tags read the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: readCspNonce() });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveCssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={themeManager}
      getStyleNonce={readCspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
      <Toasts />
      <FailedParts />
    </MantineProvider>
  );
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isSetupRequired(error)) void showSetup();
      },
    }),
    defaultOptions: {
      queries: {
        // An offline browser can still reach a server on the same machine or in the local network.
        networkMode: 'always',
        retry: (failureCount, error) => failureCount < 1 && !hasSessionEnded(error),
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Whether a request was rejected because the user's role requires a second factor that is not set up. */
function isSetupRequired(error: Error): boolean {
  const body = error instanceof ApiError ? error.body : null;
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    body.code === 'second_factor_setup_required'
  );
}

/** Refetches the user, so that the route guards show the setup page. */
async function showSetup(): Promise<void> {
  await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
  await router.invalidate();
}

function hasSessionEnded(error: Error): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Returns the nonce that the server writes into index.html. Style tags that are created at run time need the nonce. */
function readCspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}
