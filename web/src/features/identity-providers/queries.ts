import {
  type createIdentityProviderBody,
  domainsRoutes,
  type IdentityProvider,
  type IdentityProviderTest,
  identityProvidersRoutes,
  signInPolicyRoutes,
  teamsRoutes,
  type updateIdentityProviderBody,
  type updateSignInPolicyBody,
  userIdentitiesRoutes,
  usersRoutes,
} from '@sluice/contract';
import { type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { createApiClient } from '#lib/api.ts';
import { messageOf } from '#lib/describe-failure.ts';
import { loadPages } from '#lib/load-pages.ts';
import { keepAttempt } from '#lib/sign-in-attempt.ts';

const calls = {
  providers: createApiClient(identityProvidersRoutes),
  domains: createApiClient(domainsRoutes),
  policy: createApiClient(signInPolicyRoutes),
  identities: createApiClient(userIdentitiesRoutes),
  users: createApiClient(usersRoutes),
  teams: createApiClient(teamsRoutes),
};

export const providersQuery = queryOptions({
  queryKey: ['identity-providers'],
  queryFn: ({ signal }) => calls.providers.listIdentityProviders(undefined, { signal }),
});

export const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: ({ signal }) => calls.domains.listDomains(undefined, { signal }),
});

export const policyQuery = queryOptions({
  queryKey: ['sign-in-policy'],
  queryFn: ({ signal }) => calls.policy.getSignInPolicy(undefined, { signal }),
});

export const identitiesQuery = queryOptions({
  queryKey: ['user-identities'],
  queryFn: ({ signal }) =>
    loadPages(200, (query) => calls.identities.listUserIdentities({ query }, { signal })),
});

export const administratorsQuery = queryOptions({
  queryKey: ['users', 'administrators'],
  queryFn: async ({ signal }) => {
    const users = await calls.users.listUsers({ query: {} }, { signal });
    return users.filter(({ is_active: isActive, role_name: role }) => isActive && role !== 'user');
  },
});

export const teamsQuery = queryOptions({
  queryKey: ['teams', 'mapping'],
  queryFn: ({ signal }) =>
    loadPages(200, async (query) => (await calls.teams.listTeams({ query }, { signal })).teams),
});

/** The result is stored when the provider redirects back. */
export const testResultKey: QueryKey = ['identity-provider-test'];

export interface FinishedTest {
  readonly providerName: string;
  readonly result: IdentityProviderTest;
}

export const callFinishTest = calls.providers.finishIdentityProviderTest;

export interface ProviderChange {
  readonly id: number | null;
  readonly body: z.input<typeof updateIdentityProviderBody>;
  /** Domain to add together with a new provider, or `null`. */
  readonly domain: string | null;
}

/** Adds the domain after a new provider. Resolves to the reason why the domain could not be added, or `null`. */
export function useSaveProvider() {
  return useChange(async ({ id, body, domain }: ProviderChange) => {
    if (id !== null) {
      await calls.providers.updateIdentityProvider({ params: { id }, body });
      return null;
    }
    // safe because the form requires all fields of a new provider
    const added = body as z.input<typeof createIdentityProviderBody>;
    await calls.providers.createIdentityProvider({ body: added });
    if (domain === null) return null;
    return calls.domains.addDomain({ body: { domain } }).then(
      () => null,
      (error: unknown) => messageOf(error, 'The domain could not be added'),
    );
  });
}

export const useDeleteProvider = () =>
  useChange((id: number) => calls.providers.deleteIdentityProvider({ params: { id } }));

export const useAddDomain = () =>
  useChange((domain: string) => calls.domains.addDomain({ body: { domain } }));

export const useConfirmDomain = () =>
  useChange((id: number) => calls.domains.confirmDomain({ params: { id } }));

export const useRemoveDomain = () =>
  useChange((id: number) => calls.domains.removeDomain({ params: { id } }));

export const useSavePolicy = () =>
  useChange((body: z.input<typeof updateSignInPolicyBody>) => calls.policy.updateSignInPolicy({ body }));

export const useConfirmIdentity = () =>
  useChange((id: number) => calls.identities.confirmUserIdentity({ params: { id } }));

export const useDeleteIdentity = () =>
  useChange((id: number) => calls.identities.deleteUserIdentity({ params: { id } }));

export function useStartTest() {
  return useMutation({
    mutationFn: async ({ id, name }: IdentityProvider) => {
      const { authorization_url: url, secret } = await calls.providers.testIdentityProvider({
        params: { id },
      });
      keepAttempt({ purpose: 'test', secret, redirect: null, provider: { id, name } });
      window.location.assign(url);
    },
  });
}

function useChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all(
        [providersQuery, domainsQuery, policyQuery, identitiesQuery].map(({ queryKey }) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
