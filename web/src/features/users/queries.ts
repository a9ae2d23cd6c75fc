import { authRoutes, secondFactorRoutes, type User, usersRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { renewToken } from '#lib/token.ts';

// A rejected password must not end the session.
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

/** Removes all second factors of a user, and ends all sessions of the user. */
export const useResetSecondFactor = () => useUserChange(secondFactorCalls.resetSecondFactor);

type UsersChange = Parameters<typeof calls.changeUsers>[0]['body'];

/** Changes many users in one call; its result has the rejection of each, or `null`. */
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

/** Changes no row of the list, and ends all sessions of the user. */
export const useSetPassword = () =>
  useMutation({ mutationFn: (change: PasswordChange) => calls.changeUserPassword(change) });

type OwnPasswordChange = Parameters<typeof authCalls.changeOwnPassword>[0]['body'];

/** Ends all other sessions of the caller; this one continues with a new token. */
export function useChangeOwnPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: OwnPasswordChange) =>
      renewToken(async () => (await authCalls.changeOwnPassword({ body })).access_token),
    // Queries sent with the old token may have been rejected.
    onSuccess: () => queryClient.invalidateQueries(),
  });
}

/** Mutation that puts the returned user into the list at once, then refetches the list. */
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
