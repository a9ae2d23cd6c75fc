import { providerNames } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { providerRegistryQuery } from '../../lib/provider-registry.ts';

/** Vendor as the form needs it. */
export interface Vendor {
  readonly key: string;
  readonly name: string;
  /** `null` while the registry cannot be loaded; calls then name the vendor by its key. */
  readonly registryId: number | null;
  readonly suggestedEndpoint: string;
  /** Whether each instance must name its own endpoint. */
  readonly needsEndpoint: boolean;
  readonly isKeyOptional: boolean;
  readonly defaultModel: string;
  readonly models: readonly string[];
}

/** Vendors to choose from. Four are offered even if the registry cannot be loaded. */
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
