import { analyticsRoutes, type FirstSteps, firstStepsRoutes, llmProvidersRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const firstStepsCalls = createApiClient(firstStepsRoutes);
const llmProvidersCalls = createApiClient(llmProvidersRoutes);

const analyticsCalls = createApiClient(analyticsRoutes);

const lookAgainMs = 5000;
const refreshMs = 30_000;

export const llmProvidersQuery = queryOptions({
  queryKey: ['llm-providers'],
  queryFn: ({ signal }) => llmProvidersCalls.listLlmProviders(undefined, { signal }),
});

/** How far the tenant has come; asks again until the last step is done. */
export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: ({ signal }) => firstStepsCalls.getFirstSteps(undefined, { signal }),
  refetchInterval: ({ state }) => (state.data && listDone(state.data).includes(false) ? lookAgainMs : false),
});

export const todayQuery = queryOptions({
  queryKey: ['analytics', 'today'],
  queryFn: ({ signal }) => analyticsCalls.getToday(undefined, { signal }),
  refetchInterval: refreshMs,
});

/** Which of the six steps are done, in their order. */
export const listDone = (steps: FirstSteps): readonly boolean[] => [
  steps.providers.length > 0,
  steps.connection_tested_at !== null,
  steps.users.length > 0,
  steps.granted_users.length > 0 || steps.assigned_users.length > 0,
  steps.key_holders.length > 0,
  steps.answered_request !== null,
];
