import { governanceRoutes } from '@sluice/contract';
import { useMutation } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(governanceRoutes);

type Trial = Parameters<typeof calls.replayPolicy>[0]['body'];

/** Users that a policy would have warned or blocked. Changes nothing. */
export const useReplay = () => useMutation({ mutationFn: (body: Trial) => calls.replayPolicy({ body }) });
