import { analyticsRoutes, authRoutes, providerAccessRoutes, type User, usersRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';
import { renewToken } from '../../lib/token.ts';

// A refused password is not the end of a session.
const authCalls = createApiClient(authRoutes, { isSessionKept: true });
const calls = createApiClient(usersRoutes);
const accessCalls = createApiClient(providerAccessRoutes);
const analyticsCalls = createApiClient(analyticsRoutes);

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => calls.listUsers({ query: {} }, { signal }),
});

const standingRefreshMs = 30_000;
const trendDays = 30;

/** Beneath `users`, so that what changes a user reads it anew. */
export const userStandingQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', id, 'standing'],
    queryFn: ({ signal }) => calls.getUserStanding({ params: { id } }, { signal }),
    refetchInterval: standingRefreshMs,
  });

export const permittedModelsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['users', userId, 'permitted-models'],
    queryFn: ({ signal }) => accessCalls.listPermittedModels({ params: { userId } }, { signal }),
  });

/** The last 30 days of a user's scores. */
export const userTrendQuery = (userId: number) =>
  queryOptions({
    queryKey: ['users', userId, 'trend'],
    queryFn: ({ signal }) =>
      analyticsCalls.getDeviationTimeline({ query: { days: trendDays, user_id: userId } }, { signal }),
  });

export const useCreateUser = () => useUserChange(calls.createUser);

export const useUpdateUser = () => useUserChange(calls.updateUser);

export const useBlockUser = () => useUserChange(calls.blockUser);

export const useUnblockUser = () => useUserChange(calls.unblockUser);

type PasswordChange = Parameters<typeof calls.changeUserPassword>[0];

/** Changes no row, but ends all sessions of the person. */
export const useSetPassword = () =>
  useMutation({ mutationFn: (change: PasswordChange) => calls.changeUserPassword(change) });

type OwnPasswordChange = Parameters<typeof authCalls.changeOwnPassword>[0]['body'];

/** Ends all other sessions of the caller; this one goes on with a new token. */
export function useChangeOwnPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: OwnPasswordChange) =>
      renewToken(async () => (await authCalls.changeOwnPassword({ body })).access_token),
    // What was refused with the old token is asked again.
    onSuccess: () => queryClient.invalidateQueries(),
  });
}

/** The row that the server answers stands in the list at once; then the list is read anew. */
function useUserChange<Input>(change: (input: Input) => Promise<User>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(input),
    onSuccess: async (changed) => {
      await queryClient.cancelQueries(usersQuery);
      queryClient.setQueryData(usersQuery.queryKey, (users) => users && replaceOrAdd(users, changed));
    },
    onSettled: () => void queryClient.invalidateQueries(usersQuery),
  });
}

function replaceOrAdd(users: readonly User[], changed: User): User[] {
  const isListed = users.some(({ id }) => id === changed.id);
  return isListed ? users.map((user) => (user.id === changed.id ? changed : user)) : [...users, changed];
}
