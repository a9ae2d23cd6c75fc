import { authRoutes, secondFactorRoutes, type User, usersRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { renewToken } from '#lib/token.ts';

// Client that keeps the session if the server rejects a password.
const authCalls = createApiClient(authRoutes, { isSessionKept: true });
const calls = createApiClient(usersRoutes);
const secondFactorCalls = createApiClient(secondFactorRoutes);

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => calls.listUsers({ query: {} }, { signal }),
});

export const useCreateUser = () => useUserChange(calls.createUser);

export const useUpdateUser = () => useUserChange(calls.updateUser);

export const useBlockUser = () => useUserChange(calls.blockUser);

export const useUnblockUser = () => useUserChange(calls.unblockUser);

/** Also ends all sessions of the user. */
export const useResetSecondFactor = () => useUserChange(secondFactorCalls.resetSecondFactor);

type UsersChange = Parameters<typeof calls.changeUsers>[0]['body'];

/** The result contains the rejection of each user, or `null`. */
export function useChangeUsers() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: UsersChange) => calls.changeUsers({ body }),
    onSettled: () => {
      for (const key of ['users', 'teams', 'tasks', 'provider-access'])
        void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
}

type PasswordChange = Parameters<typeof calls.changeUserPassword>[0];

/** Ends all sessions of the user. The list does not change. */
export const useSetPassword = () =>
  useMutation({ mutationFn: (change: PasswordChange) => calls.changeUserPassword(change) });

type OwnPasswordChange = Parameters<typeof authCalls.changeOwnPassword>[0]['body'];

/** All other sessions end. This session continues with a new token. */
export function useChangeOwnPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: OwnPasswordChange) =>
      renewToken(async () => (await authCalls.changeOwnPassword({ body })).access_token),
    // Queries sent with the old token may have been rejected, so all queries are refetched.
    onSuccess: () => queryClient.invalidateQueries(),
  });
}

/** Updates the list with the returned user immediately and then refetches it. */
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
