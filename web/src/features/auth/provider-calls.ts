import { ApiError, type SignInOptions, signInsRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { createApiClient } from '#lib/api.ts';
import { adoptSession } from '#lib/session.ts';
import {
  forgetAttempt,
  forgetProvider,
  keepAttempt,
  type ProviderRedirect,
  type RememberedProvider,
  rememberProvider,
  type SignInAttempt,
} from '#lib/sign-in-attempt.ts';
import { storeProviderToken } from '#lib/token.ts';

const calls = createApiClient(signInsRoutes, { isSessionKept: true });

interface SignInPlace {
  /** Domain of the typed email. */
  readonly domain: string | undefined;
  /** Slug of a tenant's sign-in link. */
  readonly tenant: string | undefined;
}

/** Until the methods are known, the page offers only the password. */
export const signInOptionsQuery = ({ domain, tenant }: SignInPlace) =>
  queryOptions({
    queryKey: ['sign-in-options', domain, tenant],
    queryFn: ({ signal }): Promise<SignInOptions> =>
      calls.getSignInOptions(
        {
          query: {
            ...(domain !== undefined && { email: `@${domain}` }),
            ...(tenant !== undefined && { tenant }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });

export function useStartSignIn(redirect: string | null) {
  return useMutation({
    mutationFn: async (provider: RememberedProvider) => {
      const started = await calls.startSignIn({ body: { identity_provider_id: provider.id } });
      keepAttempt({ purpose: 'sign-in', secret: started.secret, redirect, provider });
      window.location.assign(started.authorization_url);
    },
    // Forgets a provider only if it no longer exists. A provider that is temporarily unreachable remains remembered.
    onError: (error) => error instanceof ApiError && error.status === 404 && forgetProvider(),
  });
}

/**
 * Exchanges a provider's response for a session. If this tab did not start the sign-in, a cookie proves that this
 * browser did.
 */
export function useFinishSignIn(): (
  attempt: SignInAttempt | null,
  redirect: ProviderRedirect,
) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (attempt, redirect) => {
    forgetAttempt();
    const body = { ...redirect, ...(attempt && { secret: attempt.secret }) };
    const { access_token } = await calls.finishSignIn({ body });
    storeProviderToken(access_token);
    if (attempt) rememberProvider(attempt.provider);
    await adoptSession(queryClient, router);
  };
}
