import { apiKeysRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(apiKeysRoutes);

export const apiKeyQuery = (userId: number) =>
  queryOptions({
    queryKey: ['user-api-key', userId],
    queryFn: ({ signal }) => calls.getUserApiKey({ params: { id: userId } }, { signal }),
  });

export const useCreateApiKey = (userId: number) => useKeyChange(userId, calls.createUserApiKey);

export const useRegenerateApiKey = (userId: number) => useKeyChange(userId, calls.regenerateUserApiKey);

export const useRevokeApiKey = (userId: number) => useKeyChange(userId, calls.revokeUserApiKey);

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
