import { ApiError, authRoutes, type CurrentUser, type loginForm } from '@sluice/contract';
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { z } from 'zod';
import { forgetActingTenant, readActingTenant } from './acting-tenant.ts';
import { createApiClient } from './api.ts';
import { logFailure } from './describe-failure.ts';
import { dropLostToken, forgetToken, readToken, storeToken } from './token.ts';

const calls = createApiClient(authRoutes, { isSessionKept: true });

type LoginForm = z.infer<typeof loginForm>;

/** Signed-in user; `null` for visitors. */
export const currentUserQuery = queryOptions({
  queryKey: ['current-user'],
  queryFn: ({ signal }) => validateStoredToken(signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

export function loadCurrentUser(queryClient: QueryClient): Promise<CurrentUser | null> {
  return queryClient.ensureQueryData(currentUserQuery);
}

/** Answers a function that signs in; the guard of /login then leads to where the visitor was going. */
export function useSignIn(): (form: LoginForm) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (form) => {
    const { access_token } = await calls.login({ form });
    storeToken(access_token);
    queryClient.removeQueries();
    await router.invalidate();
    if (readToken() === null) throw new Error('The gateway refused the token that it had just given');
  };
}

/** Answers a function that ends the session, here and on the server. */
export function useLogout(): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return () => {
    // Not waited for: here the session is over at once, also without a network.
    calls.logout().catch((error) => logFailure('The server could not end the session', error));
    forgetToken();
    queryClient.clear();
    return router.navigate({ to: '/login' });
  };
}

async function validateStoredToken(signal: AbortSignal): Promise<CurrentUser | null> {
  if (readToken() === null) return null;
  try {
    return await calls.getCurrentUser(undefined, { signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404 && readActingTenant() !== null) {
      forgetActingTenant();
      return validateStoredToken(signal);
    }
    if (error.status !== 401) throw error;
    dropLostToken();
    return null;
  }
}
