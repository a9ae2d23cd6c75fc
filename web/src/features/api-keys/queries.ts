import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export const apiKeyQuery = (userId: number) =>
  queryOptions({
    queryKey: ['user-api-key', userId],
    queryFn: ({ signal }) => api.apiKeys.getUserApiKey({ params: { id: userId } }, { signal }),
  });

export const useCreateApiKey = (userId: number) => useKeyChange(userId, api.apiKeys.createUserApiKey);

export const useRegenerateApiKey = (userId: number) => useKeyChange(userId, api.apiKeys.regenerateUserApiKey);

export const useRevokeApiKey = (userId: number) => useKeyChange(userId, api.apiKeys.revokeUserApiKey);

/** The key's state is read anew whatever came of it: a refusal may mean that it changed elsewhere. */
function useKeyChange<Answer>(
  userId: number,
  change: (input: { params: { id: number } }) => Promise<Answer>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => change({ params: { id: userId } }),
    onSettled: () => queryClient.invalidateQueries(apiKeyQuery(userId)),
  });
}
