import { analyticsRoutes, type FirstSteps, firstStepsRoutes, llmProvidersRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { systemStatusQuery } from '#lib/system-status.ts';

const firstStepsCalls = createApiClient(firstStepsRoutes);
const llmProvidersCalls = createApiClient(llmProvidersRoutes);
const analyticsCalls = createApiClient(analyticsRoutes);

const lookAgainMs = 2_000;
const refreshMs = 30_000;

export const llmProvidersQuery = queryOptions({
  queryKey: ['llm-providers'],
  queryFn: ({ signal }) => llmProvidersCalls.listLlmProviders(undefined, { signal }),
});

/** Polled until the setup is complete. */
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

const days = 30;
const topShown = 5;
const ranked = { days, limit: topShown, metric: 'cost' } as const;

export const monthQuery = queryOptions({
  queryKey: ['analytics', 'month'],
  queryFn: ({ signal }) => analyticsCalls.listDailyUsage({ query: { days } }, { signal }),
  refetchInterval: refreshMs,
});

/** Ranked by cost in the last 30 days. */
export const leadersQuery = queryOptions({
  queryKey: ['analytics', 'leaders'],
  queryFn: async ({ signal }) => {
    const [users, teams, models] = await Promise.all([
      analyticsCalls.listTopUsers({ query: ranked }, { signal }),
      analyticsCalls.listTopTeams({ query: ranked }, { signal }),
      analyticsCalls.listTopModels({ query: ranked }, { signal }),
    ]);
    return { users, teams, models };
  },
  refetchInterval: refreshMs,
});

/** Covers the last 24 hours. */
export const providerHealthQuery = queryOptions({
  queryKey: ['llm-providers', 'overview'],
  queryFn: async ({ signal }) => {
    const [instances, health] = await Promise.all([
      llmProvidersCalls.listLlmProviders(undefined, { signal }),
      llmProvidersCalls.listLlmProviderHealth(undefined, { signal }),
    ]);
    const byId = new Map(health.map((one) => [one.llm_provider_id, one]));
    return instances.map(({ id, is_active, provider_key, provider_instance_name: name }) => ({
      id,
      is_active,
      provider_key,
      name,
      health: byId.get(id),
    }));
  },
  refetchInterval: refreshMs,
});

/** `null` for viewers who do not operate the installation. Shares its request with the banners on every page. */
export const failedJobsQuery = queryOptions({
  ...systemStatusQuery,
  select: ({ operation }) => operation?.jobs.filter(({ last_error }) => last_error !== null) ?? null,
  staleTime: refreshMs,
  refetchInterval: refreshMs,
});

/** Returns the six setup steps in order. */
export const listDone = (steps: FirstSteps): readonly boolean[] => [
  steps.providers.length > 0,
  steps.connection_tested_at !== null,
  steps.users.length > 0,
  steps.granted_users.length > 0 || steps.assigned_users.length > 0,
  steps.key_holders.length > 0,
  steps.answered_request !== null,
];
