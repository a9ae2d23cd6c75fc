import {
  type CheapestModel,
  type CreditBalance,
  creditsRoutes,
  type LlmProvider,
  llmProvidersRoutes,
  type Pricing,
  providerAccessRoutes,
  providerNames,
} from '@sluice/contract';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { providerRegistryQuery } from '#lib/provider-registry.ts';

const calls = createApiClient(llmProvidersRoutes);
const credits = createApiClient(creditsRoutes);
const access = createApiClient(providerAccessRoutes);

export const llmProvidersQuery = queryOptions({
  queryKey: ['llm-providers', 'list'],
  queryFn: ({ signal }) => calls.listLlmProviders(undefined, { signal }),
});

const healthRefreshMs = 30_000;

/** Covers the last 24 hours. */
export const healthQuery = queryOptions({
  queryKey: ['llm-providers', 'health'],
  queryFn: ({ signal }) => calls.listLlmProviderHealth(undefined, { signal }),
  refetchInterval: healthRefreshMs,
});

/**
 * Never cached, because an administrator decides with the result. The key is outside `llm-providers`, or the deletion
 * would refetch the query.
 */
export const deletionImpactQuery = (id: number) =>
  queryOptions({
    queryKey: ['llm-provider-deletion-impact', id],
    queryFn: ({ signal }) => calls.getLlmProviderDeletionImpact({ params: { id } }, { signal }),
    gcTime: 0,
    retry: false,
  });

/** Never cached, because the drill replays the last hour. */
export const fallbackDrillQuery = (id: number) =>
  queryOptions({
    queryKey: ['fallback-drill', id],
    queryFn: ({ signal }) => calls.drillFallbacks({ params: { id } }, { signal }),
    gcTime: 0,
    retry: false,
  });

/** The response contains the markup in addition to the prices. */
export const pricingQuery = (provider: string) =>
  queryOptions({
    queryKey: ['pricing', provider],
    queryFn: ({ signal }): Promise<Pricing> => credits.getPricing({ query: { provider } }, { signal }),
  });

export const balanceQuery = queryOptions({
  queryKey: ['credit-balance'],
  queryFn: ({ signal }): Promise<CreditBalance> => credits.getCreditBalance(undefined, { signal }),
});

/** Models of active instances, or all models of the price list. */
export const offeredModelsQuery = (scope: 'enabled' | 'listed') =>
  queryOptions({
    queryKey: ['llm-providers', 'models', scope],
    queryFn: ({ signal }) => calls.listOfferedModels({ query: { scope } }, { signal }),
  });

export const permittedUsersQuery = (model: string) =>
  queryOptions({
    queryKey: ['provider-access', 'permitted-users', model],
    queryFn: ({ signal }) => access.listPermittedUsers({ query: { model } }, { signal }),
    gcTime: 0,
  });

/** Finds a model with at least `minTokens` of context. */
export const cheapestModelQuery = (minTokens: number) =>
  queryOptions({
    queryKey: ['pricing', 'cheapest', minTokens],
    queryFn: ({ signal }): Promise<CheapestModel> =>
      credits.findCheapestModel({ query: { min_tokens: minTokens } }, { signal }),
    retry: false,
  });

export const useTestConnection = () =>
  useMutation({
    mutationFn: (body: Parameters<typeof calls.testLlmProvider>[0]['body']) =>
      calls.testLlmProvider({ body }),
  });

export const useTestProvider = () =>
  useMutation({ mutationFn: ({ id }: LlmProvider) => calls.testSavedLlmProvider({ params: { id } }) });

/** Loads the models that a service-managed instance of the vendor can offer. */
export const useLoadManagedModels = () =>
  useMutation({
    mutationFn: (id: number) => calls.listServiceManagedModels({ params: { id } }),
  });

export function useCreateProvider() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Parameters<typeof calls.createLlmProvider>[0]['body']) =>
      calls.createLlmProvider({ body }),
    onSuccess: (created) => change(queryClient, (providers) => [...providers, created]),
    onSettled: () => refresh(queryClient),
  });
}

function useChange<Input>(call: (input: Input) => Promise<LlmProvider>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: (changed) =>
      change(queryClient, (providers) =>
        providers.map((provider) => (provider.id === changed.id ? changed : provider)),
      ),
    onSettled: () => refresh(queryClient),
  });
}

export const useUpdateProvider = () => useChange(calls.updateLlmProvider);
export const useStartMaintenance = () => useChange(calls.startMaintenance);
export const useEndMaintenance = () => useChange(calls.endMaintenance);
export const useRotateKey = () => useChange(calls.rotateLlmProviderKey);
export const useEndKeyOverlap = () => useChange(calls.endKeyOverlap);

export function useSetFallbackOrder() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (llm_provider_ids: number[]) => calls.setFallbackOrder({ body: { llm_provider_ids } }),
    onSuccess: (ordered) => change(queryClient, () => ordered),
    onSettled: () => refresh(queryClient),
  });
}

export function useDeleteProvider() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: LlmProvider) => calls.deleteLlmProvider({ params: { id } }),
    onSuccess: (_nothing, { id }) =>
      change(queryClient, (providers) => providers.filter((provider) => provider.id !== id)),
    onSettled: () => refresh(queryClient),
  });
}

const change = (queryClient: QueryClient, toNext: (providers: readonly LlmProvider[]) => LlmProvider[]) =>
  queryClient.setQueryData(llmProvidersQuery.queryKey, (providers) => providers && toNext(providers));

const refresh = (queryClient: QueryClient) =>
  Promise.all(
    [['llm-providers'], ['provider-access'], ['blacklist', 'enabled-models']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );

export interface Vendor {
  readonly key: string;
  readonly name: string;
  /** `null` if the registry could not be loaded. Requests then identify the vendor by its key. */
  readonly registryId: number | null;
  readonly suggestedEndpoint: string;
  /** Whether each instance requires an endpoint URL. */
  readonly needsEndpoint: boolean;
  readonly isKeyOptional: boolean;
  readonly defaultModel: string;
  readonly models: readonly string[];
}

/** If the registry could not be loaded, returns four well-known vendors. */
export function useVendors(): { vendors: readonly Vendor[]; isLoading: boolean } {
  const { data, isError, isPending } = useQuery(providerRegistryQuery);
  if (data === undefined) return { vendors: isError ? fallbackVendors : [], isLoading: isPending };
  const vendors = data
    .filter(({ is_active }) => is_active)
    .map((entry) => ({
      key: entry.provider_key,
      name: entry.display_name,
      registryId: entry.id,
      suggestedEndpoint: entry.suggested_endpoint ?? '',
      needsEndpoint: entry.default_endpoint === null && entry.suggested_endpoint !== null,
      isKeyOptional: entry.is_key_optional,
      defaultModel: entry.default_model,
      models: entry.supported_models,
    }));
  return { vendors, isLoading: false };
}

const fallbackVendors: readonly Vendor[] = [
  ['openai', 'https://api.openai.com/v1', 'gpt-3.5-turbo'] as const,
  ['anthropic', 'https://api.anthropic.com', 'claude-3-haiku-20240307'] as const,
  ['google', 'https://generativelanguage.googleapis.com', 'gemini-pro'] as const,
  ['deepseek', 'https://api.deepseek.com', 'default'] as const,
].map(([key, suggestedEndpoint, defaultModel]) => ({
  key,
  name: providerNames[key] ?? key,
  registryId: null,
  suggestedEndpoint,
  needsEndpoint: false,
  isKeyOptional: false,
  defaultModel,
  models: [],
}));
