import type { User } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { renewToken } from '../../lib/token.ts';

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => api.users.listUsers({ query: {} }, { signal }),
});

export const useCreateUser = () => useUserChange(api.users.createUser);

export const useUpdateUser = () => useUserChange(api.users.updateUser);

export const useBlockUser = () => useUserChange(api.users.blockUser);

export const useUnblockUser = () => useUserChange(api.users.unblockUser);

type PasswordChange = Parameters<typeof api.users.changeUserPassword>[0];

/** Changes no row, but ends all sessions of the person. */
export const useSetPassword = () =>
  useMutation({ mutationFn: (change: PasswordChange) => api.users.changeUserPassword(change) });

type OwnPasswordChange = Parameters<typeof api.auth.changeOwnPassword>[0]['body'];

/** Ends all other sessions of the caller; this one goes on with a new token. */
export function useChangeOwnPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: OwnPasswordChange) =>
      renewToken(async () => (await api.auth.changeOwnPassword({ body })).access_token),
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
