import { apiKeysRoutes, type createApiKeyBody, type regenerateApiKeyBody } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { createApiClient } from '#lib/api.ts';

const calls = createApiClient(apiKeysRoutes);

export const apiKeyQuery = (userId: number) =>
  queryOptions({
    queryKey: ['user-api-key', userId],
    queryFn: ({ signal }) => calls.getUserApiKey({ params: { id: userId } }, { signal }),
  });

export const useCreateApiKey = (userId: number) =>
  useKeyChange(userId, (params, body: z.input<typeof createApiKeyBody>) =>
    calls.createUserApiKey({ params, body }),
  );

export const useRegenerateApiKey = (userId: number) =>
  useKeyChange(userId, (params, body: z.input<typeof regenerateApiKeyBody>) =>
    calls.regenerateUserApiKey({ params, body }),
  );

export const useRevokeApiKey = (userId: number) =>
  useKeyChange(userId, (params) => calls.revokeUserApiKey({ params }));

export const useEndApiKeyOverlap = (userId: number) =>
  useKeyChange(userId, (params) => calls.endApiKeyOverlap({ params }));

/** Refetches the key's state after a failure too, because it may mean that the key changed elsewhere. */
function useKeyChange<Answer, Body = void>(
  userId: number,
  change: (params: { id: number }, body: Body) => Promise<Answer>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => change({ id: userId }, body),
    onSettled: () => queryClient.invalidateQueries(apiKeyQuery(userId)),
  });
}
