import { ApiError, authRoutes, type CurrentUser, type loginForm, signInsRoutes } from '@sluice/contract';
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { type AnyRouter, useRouter } from '@tanstack/react-router';
import type { z } from 'zod';
import { forgetActingTenant, readActingTenant } from './acting-tenant.ts';
import { createApiClient } from './api.ts';
import { logFailure } from './describe-failure.ts';
import { releaseCalls } from './held-calls.ts';
import { askForSecondFactor } from './second-factor-prompt.ts';
import { dropRefusedToken, forgetToken, isProviderSession, readToken, storeToken } from './token.ts';

const calls = createApiClient(authRoutes, { isSessionKept: true });
const providerCalls = createApiClient(signInsRoutes, { isSessionKept: true });

type LoginForm = z.infer<typeof loginForm>;

/** Signed-in user; `null` for visitors. */
export const currentUserQuery = queryOptions({
  queryKey: ['current-user'],
  queryFn: ({ signal }) => validateStoredToken(signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Returns `null` if there is no token, even if the page still holds the user's data. */
export async function loadCurrentUser(queryClient: QueryClient): Promise<CurrentUser | null> {
  return readToken() === null ? null : queryClient.ensureQueryData(currentUserQuery);
}

export function useSignIn(): (form: LoginForm) => Promise<void> {
  const start = useStartSession();
  return async (form) => start((await calls.login({ form })).access_token);
}

export function useStartSession(): (token: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (token) => {
    storeToken(token);
    askForSecondFactor();
    await adoptSession(queryClient, router);
    if (readToken() === null) throw new Error('The gateway rejected the token that it just issued');
  };
}

export const mustSetUpSecondFactor = ({ second_factor }: CurrentUser): boolean =>
  second_factor.is_required && !second_factor.is_on;

/**
 * Continues with the stored token. If user and tenant are the same, the open page keeps its input and is refreshed.
 * Otherwise all data is dropped, and the route guards decide which page is shown.
 */
export async function adoptSession(queryClient: QueryClient, router: AnyRouter): Promise<void> {
  const known = queryClient.getQueryData(currentUserQuery.queryKey);
  const token = readToken();
  const user = known && (await validateStoredToken().catch(() => null));
  // Another tab may have signed in as another user in the meantime. Requests of this page would then use the other
  // user's credentials.
  if (token !== null && readToken() !== null && readToken() !== token)
    return adoptSession(queryClient, router);
  const isSame = !!user && user.id === known?.id && user.tenant.id === known.tenant.id;
  if (isSame) queryClient.setQueryData(currentUserQuery.queryKey, user);
  else queryClient.clear();
  releaseCalls(isSame);
  if (isSame) void queryClient.invalidateQueries({ predicate: ({ state }) => state.data !== user });
  await router.invalidate();
}

export function useLogout(): () => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    if (isProviderSession()) {
      // The request needs the token, so the token is deleted afterwards. The returned URL ends the session at the
      // identity provider.
      const { logout_url: url } = await providerCalls.logout().catch(() => ({ logout_url: null }));
      forgetToken();
      queryClient.clear();
      if (url !== null) return window.location.assign(url);
      return router.navigate({ to: '/login' });
    }
    // Not awaited, so that the session ends immediately in the browser, even offline.
    providerCalls.logout().catch((error) => logFailure('The server could not end the session', error));
    forgetToken();
    queryClient.clear();
    return router.navigate({ to: '/login' });
  };
}

async function validateStoredToken(signal?: AbortSignal): Promise<CurrentUser | null> {
  if (readToken() === null) return null;
  try {
    return await calls.getCurrentUser(undefined, signal && { signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404 && readActingTenant() !== null) {
      forgetActingTenant();
      return validateStoredToken(signal);
    }
    if (error.status !== 401) throw error;
    dropRefusedToken();
    return null;
  }
}
