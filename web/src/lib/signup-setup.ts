import { signupRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(signupRoutes);

export const signupSetupQuery = queryOptions({
  queryKey: ['signup-setup'],
  queryFn: ({ signal }) => calls.getSignupSetup(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
