import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** A vendor that Sluice knows how to talk to; `value`, `label` and `models` repeat the other names. */
export const providerRegistryEntry = z.object({
  id: z.number().int(),
  provider_key: z.string(),
  display_name: z.string(),
  icon: z.string(),
  /** Where its instances are when they name no endpoint; `null` when each must name its own. */
  default_endpoint: z.string().nullable(),
  /** What the form shows in the endpoint's field; an example where there is no default. */
  suggested_endpoint: z.string().nullable(),
  /** The form's first choice; `default` where the vendor has none. */
  default_model: z.string(),
  supported_models: z.array(z.string()),
  is_active: z.boolean(),
  value: z.string(),
  label: z.string(),
  models: z.array(z.string()),
});

export type ProviderRegistryEntry = z.infer<typeof providerRegistryEntry>;

export const providerRegistryRoutes = defineRoutes({
  listProviderRegistry: {
    method: 'GET',
    path: '/provider-registry',
    surface: 'management',
    permission: 'providers.read',
    summary: 'The vendors that a provider instance can be made of',
    response: z.array(providerRegistryEntry),
  },
});
