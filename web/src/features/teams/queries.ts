import { type Team, type TeamMember, teamsRoutes } from '@sluice/contract';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

const calls = createApiClient(teamsRoutes);

const pageSize = 100;

/** Teams that the viewer manages, fetched in pages of 100. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async ({ signal }) => {
    const first = await loadPage(0, signal);
    const restCount = Math.ceil(first.total / pageSize) - 1;
    const rest = await Promise.all(
      Array.from({ length: Math.max(0, restCount) }, (_, index) => loadPage((index + 1) * pageSize, signal)),
    );
    return [first, ...rest].flatMap(({ teams }) => teams);
  },
});

const loadPage = (skip: number, signal: AbortSignal) =>
  calls.listTeams({ query: { skip, limit: pageSize } }, { signal });

export const teamQuery = (id: number) =>
  queryOptions({
    queryKey: ['teams', id],
    queryFn: ({ signal }) => calls.getTeam({ params: { id } }, { signal }),
  });

export const teamUsageQuery = (id: number) =>
  queryOptions({
    queryKey: ['teams', id, 'usage'],
    queryFn: ({ signal }) => calls.getTeamUsage({ params: { id } }, { signal }),
  });

export const availableUsersQuery = (id: number) =>
  queryOptions({
    queryKey: ['teams', id, 'available-users'],
    queryFn: ({ signal }) => calls.listUsersAvailableForTeam({ params: { id } }, { signal }),
  });

export function useCreateTeam() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Parameters<typeof calls.createTeam>[0]) => calls.createTeam(input),
    onSuccess: (created) => {
      queryClient.setQueryData(teamsQuery.queryKey, (teams) => teams && [...teams, created]);
    },
    onSettled: () => refresh(queryClient),
  });
}

interface TeamChange {
  params: { id: number };
  body: Partial<Pick<Team, 'name' | 'description' | 'is_active'>>;
}

/** The list updates immediately and is restored if the server rejects the change. */
export function useUpdateTeam() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: TeamChange) => calls.updateTeam(input),
    onMutate: async ({ params, body }) => {
      await queryClient.cancelQueries({ queryKey: teamsQuery.queryKey });
      const before = queryClient.getQueryData(teamsQuery.queryKey);
      const after = before?.map((team) => (team.id === params.id ? { ...team, ...body } : team));
      queryClient.setQueryData(teamsQuery.queryKey, after);
      return { before };
    },
    onError: (_error, _input, held) => queryClient.setQueryData(teamsQuery.queryKey, held?.before),
    onSettled: () => refresh(queryClient),
  });
}

export function useDeleteTeam() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Team) => calls.deleteTeam({ params: { id } }),
    onSuccess: (_nothing, { id }) => {
      queryClient.setQueryData(teamsQuery.queryKey, (teams) => teams?.filter((team) => team.id !== id));
      queryClient.removeQueries({ queryKey: teamQuery(id).queryKey });
    },
    onSettled: () => refresh(queryClient),
  });
}

export function useAddMember() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Parameters<typeof calls.addTeamMember>[0]) => calls.addTeamMember(input),
    onSettled: () => refresh(queryClient),
  });
}

interface OneMember {
  params: { id: number; userId: number };
}

interface MemberChange extends OneMember {
  body: Partial<Pick<TeamMember, 'role' | 'is_active'>>;
}

export function useUpdateMember() {
  return useMemberChange(
    (input: MemberChange) => calls.updateTeamMember(input),
    (members, { params, body }) =>
      members.map((member) => (member.user_id === params.userId ? { ...member, ...body } : member)),
  );
}

export function useRemoveMember() {
  return useMemberChange(
    (input: OneMember) => calls.removeTeamMember(input),
    (members, { params }) => members.filter(({ user_id }) => user_id !== params.userId),
  );
}

/** The list updates immediately and is restored if the server rejects the change. */
function useMemberChange<Input extends OneMember>(
  send: (input: Input) => Promise<unknown>,
  change: (members: readonly TeamMember[], input: Input) => TeamMember[],
) {
  const queryClient = useQueryClient();
  const keyOf = ({ params }: Input) => teamQuery(params.id).queryKey;
  return useMutation({
    mutationFn: send,
    onMutate: async (input) => {
      await queryClient.cancelQueries({ queryKey: keyOf(input) });
      const before = queryClient.getQueryData(keyOf(input));
      const after = before && { ...before, members: change(before.members ?? [], input) };
      queryClient.setQueryData(keyOf(input), after);
      return { before };
    },
    onError: (_error, input, held) => queryClient.setQueryData(keyOf(input), held?.before),
    onSettled: () => refresh(queryClient),
  });
}

const refresh = (queryClient: QueryClient) => void queryClient.invalidateQueries(teamsQuery);
