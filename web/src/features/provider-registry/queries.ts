import { type ProviderRegistryEntry, providerRegistryRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

const calls = createApiClient(providerRegistryRoutes);

const key = 'provider-registry';

export const registryStatsQuery = queryOptions({
  queryKey: [key, 'stats'],
  queryFn: ({ signal }) => calls.getProviderRegistryStats(undefined, { signal }),
});

export const useAddVendor = () =>
  useRegistryChange((body: Parameters<typeof calls.createProviderRegistryEntry>[0]['body']) =>
    calls.createProviderRegistryEntry({ body }),
  );

export const useUpdateVendor = () =>
  useRegistryChange((input: Parameters<typeof calls.updateProviderRegistryEntry>[0]) =>
    calls.updateProviderRegistryEntry(input),
  );

export const useDeleteVendor = () =>
  useRegistryChange(({ id }: ProviderRegistryEntry) => calls.deleteProviderRegistryEntry({ params: { id } }));

function useRegistryChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}
