import { providerAccessRoutes, type TeamAccess, type UserAccess } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readPageTotal, type TotalCount } from '#components/data-table/pager.tsx';
import { type TableSearch, toPageQuery } from '#components/data-table/table-search.ts';
import type { PickerChoice } from '#components/forms/picker-choices.ts';
import { createApiClient } from '#lib/api.ts';
import { describeSource } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { type AccessSearch, accessPageSize } from './search.ts';

export const providerAccess = createApiClient(providerAccessRoutes);

const key = 'provider-access';

export interface AccessPage<Access> {
  rows: readonly Access[];
  total: TotalCount | null;
}

export const userAccessQuery = ({ user, provider, ...search }: AccessSearch) => {
  const query = { user_id: user, provider_id: provider, ...toPageQuery(search, accessPageSize) };
  return queryOptions({
    queryKey: [key, 'users', query],
    queryFn: ({ signal }) =>
      loadPage<UserAccess>(search, (onHeaders) =>
        providerAccess.listUserAccess({ query }, { signal, onHeaders }),
      ),
    placeholderData: keepPreviousData,
  });
};

export const teamAccessQuery = ({ team, provider, ...search }: AccessSearch) => {
  const query = { team_id: team, provider_id: provider, ...toPageQuery(search, accessPageSize) };
  return queryOptions({
    queryKey: [key, 'teams', query],
    queryFn: ({ signal }) =>
      loadPage<TeamAccess>(search, (onHeaders) =>
        providerAccess.listTeamAccess({ query }, { signal, onHeaders }),
      ),
    placeholderData: keepPreviousData,
  });
};

export const accessSummaryQuery = queryOptions({
  queryKey: [key, 'summary'],
  queryFn: ({ signal }) => providerAccess.getAccessSummary(undefined, { signal }),
});

export const grantableProvidersQuery = queryOptions({
  queryKey: [key, 'available-providers'],
  queryFn: ({ signal }) => providerAccess.listGrantableProviders(undefined, { signal }),
});

const grantableUsersQuery = queryOptions({
  queryKey: [key, 'available-users'],
  queryFn: ({ signal }) => providerAccess.listGrantableUsers(undefined, { signal }),
});

const grantableTeamsQuery = queryOptions({
  queryKey: [key, 'available-teams'],
  queryFn: ({ signal }) => providerAccess.listGrantableTeams(undefined, { signal }),
});

export const userProvidersQuery = (userId: number) =>
  queryOptions({
    queryKey: [key, 'user-providers', userId],
    queryFn: ({ signal }) => providerAccess.listUserProviders({ params: { userId } }, { signal }),
  });

export const explanationQuery = (userId: number, model: string, taskId: number | undefined) =>
  queryOptions({
    queryKey: [key, 'explanation', userId, model, taskId],
    queryFn: ({ signal }) =>
      providerAccess.explainAccess({ query: { user_id: userId, model, task_id: taskId } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });

async function loadPage<Access>(
  search: TableSearch,
  load: (onHeaders: (headers: Headers) => void) => Promise<Access[]>,
): Promise<AccessPage<Access>> {
  const answer: { total: TotalCount | null } = { total: null };
  const rows = await load((headers) => {
    answer.total = readPageTotal(headers, search, accessPageSize);
  });
  return { rows, ...answer };
}

export function useAccessChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

/** The lists update immediately. The grant is restored if the server rejects the removal. */
export function useRemoveAccess() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (access: Access) => removeAccess(access),
    onMutate: async (removed) => {
      const list = { queryKey: [key, isTeamAccess(removed) ? 'teams' : 'users'] };
      await queryClient.cancelQueries(list);
      const before = queryClient.getQueriesData<AccessPage<Access>>(list);
      queryClient.setQueriesData<AccessPage<Access>>(
        list,
        (page) => page && { ...page, rows: page.rows.filter((row) => keyOf(row) !== keyOf(removed)) },
      );
      return { before };
    },
    onError: (_error, _removed, held) => {
      for (const [queryKey, page] of held?.before ?? []) queryClient.setQueryData(queryKey, page);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

export type Access = UserAccess | TeamAccess;

export const isTeamAccess = (access: Access): access is TeamAccess => 'team_id' in access;

export const holderOf = (access: Access): string =>
  isTeamAccess(access) ? access.team_name : access.user_name;

export const keyOf = (access: Access): string =>
  `${isTeamAccess(access) ? access.team_id : access.user_id}-${access.llm_provider_id}`;

function removeAccess(access: Access): Promise<unknown> {
  const { removeTeamAccess, removeUserAccess } = providerAccess;
  const providerId = access.llm_provider_id;
  return isTeamAccess(access)
    ? removeTeamAccess({ params: { teamId: access.team_id, providerId } })
    : removeUserAccess({ params: { userId: access.user_id, providerId } });
}

export function updateAccess(access: Access, allowed_models: string[]): Promise<Access> {
  const { updateTeamAccess, updateUserAccess } = providerAccess;
  const providerId = access.llm_provider_id;
  const body = { allowed_models };
  return isTeamAccess(access)
    ? updateTeamAccess({ params: { teamId: access.team_id, providerId }, body })
    : updateUserAccess({ params: { userId: access.user_id, providerId }, body });
}

interface Answer<Rows> {
  data: Rows | undefined;
  error: Error | null;
  refetch: () => unknown;
}

export const useUsers = (isWanted: boolean) =>
  toSource(useQuery({ ...grantableUsersQuery, enabled: isWanted }), 'Failed to load provider access data');

export const useTeams = (isWanted: boolean) =>
  toSource(useQuery({ ...grantableTeamsQuery, enabled: isWanted }), 'Failed to load provider access data');

const toSource = <Rows>(answer: Answer<Rows>, problem: string) => ({
  data: answer.data,
  ...describeSource(answer, problem),
});

export const listTeamChoices = (
  teams: readonly { id: number; name: string; member_count: number }[],
): PickerChoice[] =>
  teams.map(({ id, name, member_count }) => ({
    value: String(id),
    label: name,
    detail: formatQuantity(member_count, 'member'),
  }));
