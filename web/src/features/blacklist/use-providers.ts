import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { showError } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { providerRegistryQuery } from '../../lib/provider-registry.ts';
import { enabledModelsQuery } from './queries.ts';

/** The providers to choose from, and the models of each that the tenant's instances enable. */
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

/** Says a failure once; what it left out is missing from the form, which works without. */
function useFailureToast(error: Error | null, fallback: string): void {
  useEffect(() => {
    if (error) showError(messageOf(error, fallback));
  }, [error, fallback]);
}
