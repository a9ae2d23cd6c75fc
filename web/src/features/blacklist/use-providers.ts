import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { showError } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { providerRegistryQuery } from '../../lib/provider-registry.ts';
import { enabledModelsQuery } from './queries.ts';

/** Providers to choose from, with the models that the tenant's instances enable. */
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

/** Shows a failure once as a toast; the form works without the missing options. */
function useFailureToast(error: Error | null, fallback: string): void {
  useEffect(() => {
    if (error) showError(messageOf(error, fallback));
  }, [error, fallback]);
}
