import { ApiError, type BlacklistEntry, blacklistRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ServerExport } from '#components/data-table/server-export.ts';
import { showError } from '#components/ui/toasts.tsx';
import { createApiClient } from '#lib/api.ts';
import { messageOf } from '#lib/describe-failure.ts';
import { providerRegistryQuery } from '#lib/provider-registry.ts';
import type { BlacklistSearch } from './search.ts';

const blacklist = createApiClient(blacklistRoutes);

const key = 'blacklist';

export const blacklistQuery = queryOptions({
  queryKey: [key, 'list'],
  queryFn: ({ signal }) => blacklist.listBlacklist(undefined, { signal }),
});

const searchCharactersMax = 200;

/** The browser has loaded all entries, so their count is known. */
export function blacklistExport({ filter, provider }: BlacklistSearch, count: number): ServerExport {
  const query = {
    ...(provider !== undefined && { provider_key: provider }),
    ...(filter !== undefined && { search: String(filter).slice(0, searchCharactersMax) }),
  };
  return {
    title: 'blacklist',
    noun: 'entry',
    whole: 'in the blacklist',
    isNarrowed: Object.keys(query).length > 0,
    note: 'Times are in UTC.',
    countKey: [key, query, count],
    countRows: async () => ({ count, is_exact: true }),
    fetchFile: (format, options) => blacklist.exportBlacklist({ query: { ...query, format } }, options),
  };
}

export const blacklistSummaryQuery = queryOptions({
  queryKey: [key, 'summary'],
  queryFn: async ({ signal }) => (await blacklist.getBlacklistSummary(undefined, { signal })).summary,
});

const enabledModelsQuery = queryOptions({
  queryKey: [key, 'enabled-models'],
  queryFn: ({ signal }) => blacklist.listEnabledModels(undefined, { signal }),
});

interface NewEntry {
  provider_key: string;
  model_pattern?: string;
  reason: string;
  description?: string;
}

export function useAddEntry() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewEntry) => blacklist.addBlacklistEntry({ body }),
    onError: (error) => announce(error, 'Failed to add to blacklist'),
    onSuccess: (added) => {
      queryClient.setQueryData(blacklistQuery.queryKey, (entries) => entries && [added, ...entries]);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

/** The list updates immediately. The entry is restored if the server rejects the removal. */
export function useRemoveEntry() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: BlacklistEntry) => blacklist.removeBlacklistEntry({ params: { id } }),
    onMutate: async ({ id }) => {
      await queryClient.cancelQueries(blacklistQuery);
      const before = queryClient.getQueryData(blacklistQuery.queryKey);
      queryClient.setQueryData(
        blacklistQuery.queryKey,
        before?.filter((entry) => entry.id !== id),
      );
      return { before };
    },
    onError: (_error, _entry, held) => queryClient.setQueryData(blacklistQuery.queryKey, held?.before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}

/** The server evaluates the patterns. */
export const useCheck = () =>
  useMutation({
    mutationFn: (body: { provider_key: string; model_name: string }) => blacklist.checkBlacklist({ body }),
    onError: (error) => announce(error, 'Failed to check blacklist status'),
  });

/** Errors of single fields are shown at the field only. */
function announce(error: Error, fallback: string): void {
  if (!(error instanceof ApiError && error.fieldProblems.length > 0)) showError(messageOf(error, fallback));
}

export function useProviders() {
  const registry = useQuery(providerRegistryQuery);
  const enabled = useQuery(enabledModelsQuery);
  useFailureToast(registry.error, 'Failed to load provider list');
  useFailureToast(enabled.error, 'Failed to load enabled models');
  const models = enabled.data ?? [];
  return {
    providers: (registry.data ?? []).map(({ provider_key, display_name }) => ({
      value: provider_key,
      label: display_name,
    })),
    isLoading: registry.isPending,
    modelsOf: (providerKey: string): readonly string[] =>
      models.find(({ provider_key }) => provider_key === providerKey)?.enabled_models ?? [],
  };
}

export function useFailureToast(error: Error | null, fallback: string): void {
  useEffect(() => {
    if (error) showError(messageOf(error, fallback));
  }, [error, fallback]);
}
