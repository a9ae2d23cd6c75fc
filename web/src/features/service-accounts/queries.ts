import { serviceAccountsRoutes, teamsRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { loadPages } from '#lib/load-pages.ts';

const calls = createApiClient(serviceAccountsRoutes);
const teams = createApiClient(teamsRoutes);

const key = ['service-accounts'];

export const serviceAccountsQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => calls.listServiceAccounts(undefined, { signal }),
});

export const owningTeamsQuery = queryOptions({
  queryKey: [...key, 'teams'],
  queryFn: ({ signal }) =>
    loadPages(200, async (query) => (await teams.listTeams({ query }, { signal })).teams),
});

/** Also refetches users and teams, because both include service accounts. */
function useChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([key, ['users'], ['teams']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}

export const useCreateServiceAccount = () => useChange(calls.createServiceAccount);
export const useUpdateServiceAccount = () => useChange(calls.updateServiceAccount);
export const useDeleteServiceAccount = () => useChange(calls.deleteServiceAccount);
