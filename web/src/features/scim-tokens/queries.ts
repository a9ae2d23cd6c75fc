import {
  type createScimTokenBody,
  type rotateScimTokenBody,
  scimTokensRoutes,
  type updateScimTokenBody,
} from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { createApiClient } from '#lib/api.ts';

const calls = createApiClient(scimTokensRoutes);

export const scimTokensQuery = queryOptions({
  queryKey: ['scim-tokens'],
  queryFn: ({ signal }) => calls.listScimTokens(undefined, { signal }),
});

export const useCreateScimToken = () =>
  useTokenChange((body: z.input<typeof createScimTokenBody>) => calls.createScimToken({ body }));

interface Rotation {
  id: number;
  body: z.input<typeof rotateScimTokenBody>;
}

export const useRotateScimToken = () =>
  useTokenChange(({ id, body }: Rotation) => calls.rotateScimToken({ params: { id }, body }));

interface Update {
  id: number;
  body: z.input<typeof updateScimTokenBody>;
}

export const useUpdateScimToken = () =>
  useTokenChange(({ id, body }: Update) => calls.updateScimToken({ params: { id }, body }));

export const useRevokeScimToken = () =>
  useTokenChange((id: number) => calls.revokeScimToken({ params: { id } }));

/** Refetches the tokens after a failure too, because it may mean that a token changed elsewhere. */
function useTokenChange<Body, Answer>(mutationFn: (body: Body) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queryClient.invalidateQueries(scimTokensQuery),
  });
}
