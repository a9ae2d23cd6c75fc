import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { idParams } from '../ids.ts';
import { isPlainLine, notPlainLine } from '../plain-line.ts';
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
  /** Comes with Sluice; the others were added by a super administrator. */
  is_built_in: z.boolean(),
  /** Whether an instance can work without a key, as self-hosted servers do. */
  is_key_optional: z.boolean(),
  is_active: z.boolean(),
  value: z.string(),
  label: z.string(),
  models: z.array(z.string()),
});

export type ProviderRegistryEntry = z.infer<typeof providerRegistryEntry>;

export const providerKey = z
  .string(whenAbsent('Provider key is required'))
  .trim()
  .max(100)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Provider key must be lower-case letters, digits, - and _');

const registryForm = {
  display_name: z
    .string(whenAbsent('Display name is required'))
    .trim()
    .min(1, 'Display name is required')
    .max(100)
    .refine(isPlainLine, notPlainLine('Display name')),
  icon: z.string().trim().max(100),
  /** Empty: those that this version knows. */
  supported_models: z.array(z.string().trim().min(1).max(200)).max(1000),
  is_active: z.boolean(),
};

export const createProviderRegistryBody = z.strictObject({
  provider_key: providerKey,
  display_name: registryForm.display_name,
  /** Root of an API that speaks OpenAI's protocol; without one the vendor stays inactive. It cannot be changed later. */
  api_endpoint: z.string().trim().max(2048).nullish(),
  icon: registryForm.icon.default(''),
  supported_models: registryForm.supported_models.default([]),
  is_active: registryForm.is_active.default(true),
});

/** Only the changed fields. */
export const updateProviderRegistryBody = z.strictObject(registryForm).partial();

export const providerRegistryStats = z.object({
  total_providers: z.number().int(),
  active_providers: z.number().int(),
  total_models: z.number().int(),
  /** Of one's own tenant. */
  total_instances: z.number().int(),
});

const read = { surface: 'management', permission: 'providers.read' } as const;
const write = { surface: 'management', permission: 'super_admin' } as const;

export const providerRegistryRoutes = defineRoutes({
  listProviderRegistry: {
    ...read,
    method: 'GET',
    path: '/provider-registry',
    summary: 'The vendors that a provider instance can be made of',
    response: z.array(providerRegistryEntry),
  },
  createProviderRegistryEntry: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/provider-registry',
    summary: "Add a vendor; it works at once where its endpoint speaks OpenAI's protocol",
    request: { body: createProviderRegistryBody },
    response: providerRegistryEntry,
    status: 201,
  },
  getProviderRegistryEntry: {
    ...read,
    method: 'GET',
    path: '/provider-registry/{id}',
    summary: 'One vendor',
    request: { params: idParams },
    response: providerRegistryEntry,
  },
  updateProviderRegistryEntry: {
    ...write,
    method: 'PUT',
    path: '/provider-registry/{id}',
    summary: 'Change some fields of a vendor, or switch it off for everybody',
    request: { params: idParams, body: updateProviderRegistryBody },
    response: providerRegistryEntry,
  },
  deleteProviderRegistryEntry: {
    ...write,
    method: 'DELETE',
    path: '/provider-registry/{id}',
    summary: 'Delete a vendor that is not part of Sluice and of which there are no instances',
    request: { params: idParams },
    response: z.undefined(),
    status: 204,
  },
  getProviderRegistryStats: {
    ...read,
    method: 'GET',
    path: '/provider-registry/summary/stats',
    summary: 'How many vendors there are, and what they offer',
    response: providerRegistryStats,
  },
});
