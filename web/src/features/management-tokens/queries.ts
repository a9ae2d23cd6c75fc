import { managementTokensRoutes, serviceAccountsRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { readPageTotal, type TotalCount } from '#components/data-table/pager.tsx';
import { toPageQuery } from '#components/data-table/table-search.ts';
import { createApiClient } from '#lib/api.ts';
import { type ManagementTokensSearch, tokensPageSize } from './search.ts';

const calls = createApiClient(managementTokensRoutes);
const accounts = createApiClient(serviceAccountsRoutes);

const key = ['management-tokens'];
const accountsKey = ['service-accounts'];
const searchCharactersMax = 200;
const rowsMax = 200;

export const managementTokensQuery = (search: ManagementTokensSearch) => {
  const query = {
    ...toPageQuery(search, tokensPageSize),
    ...(search.state && { state: search.state }),
    ...(search.filter !== undefined && { search: String(search.filter).slice(0, searchCharactersMax) }),
  };
  return queryOptions({
    queryKey: [...key, 'list', query],
    queryFn: async ({ signal }) => {
      const answer: { total: TotalCount | null } = { total: null };
      const onHeaders = (headers: Headers) => {
        answer.total = readPageTotal(headers, search, tokensPageSize);
      };
      return { tokens: await calls.listManagementTokens({ query }, { signal, onHeaders }), ...answer };
    },
    placeholderData: keepPreviousData,
  });
};

export const tokensOfUserQuery = (userId: number) =>
  queryOptions({
    queryKey: [...key, 'of-user', userId],
    queryFn: ({ signal }) =>
      calls.listManagementTokens({ query: { user_id: userId, state: 'active', limit: rowsMax } }, { signal }),
  });

export const owningAccountsQuery = queryOptions({
  queryKey: [...accountsKey, 'owners'],
  queryFn: async ({ signal }) => {
    const listed = await accounts.listServiceAccounts(undefined, { signal });
    return listed.filter(({ is_active, is_blocked }) => is_active && !is_blocked);
  },
});

/** Also refetches service accounts, because their list shows token counts. */
function useChange<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([key, accountsKey].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}

export const useCreateManagementToken = () => useChange(calls.createManagementToken);
export const useRevokeManagementToken = () => useChange(calls.revokeManagementToken);
