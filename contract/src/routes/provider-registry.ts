import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { hasHiddenCharacters } from '../fold-text.ts';
import { idParams } from '../ids.ts';
import { defineRoutes } from '../route.ts';

/** `value`, `label` and `models` duplicate other fields. */
export const providerRegistryEntry = z.object({
  id: z.number().int(),
  provider_key: z.string(),
  display_name: z.string(),
  icon: z.string(),
  /** `null` if each instance must specify an endpoint. */
  default_endpoint: z.string().nullable(),
  /** Placeholder of the endpoint field. An example if the vendor has no default endpoint. */
  suggested_endpoint: z.string().nullable(),
  /** `default` if the vendor does not suggest a model. */
  default_model: z.string(),
  supported_models: z.array(z.string()),
  /** Other vendors were added by a super administrator. */
  is_built_in: z.boolean(),
  /** Self-hosted servers work without an API key. */
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
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Provider key must contain only lowercase letters, digits, - and _');

export const storedModelName = z
  .string()
  .trim()
  .min(1, 'A model name cannot be empty')
  .max(200)
  .refine((text) => !hasHiddenCharacters(text), 'A model name must not contain invisible characters');

const registryForm = {
  display_name: z
    .string(whenAbsent('Display name is required'))
    .trim()
    .min(1, 'Display name is required')
    .max(100)
    .refine(isPlainLine, notPlainLine('Display name')),
  icon: z.string().trim().max(100),
  /** If empty, the models known to this version are supported. */
  supported_models: z.array(storedModelName).max(1000),
  is_active: z.boolean(),
};

export const createProviderRegistryBody = z.strictObject({
  provider_key: providerKey,
  display_name: registryForm.display_name,
  /** Root URL of an OpenAI-compatible API. A vendor without a URL cannot be active. The URL cannot be changed later. */
  api_endpoint: z.string().trim().max(2048).nullish(),
  icon: registryForm.icon.default(''),
  supported_models: registryForm.supported_models.default([]),
  /** Defaults to true if there is an endpoint. */
  is_active: registryForm.is_active.optional(),
});

/**
 * Changed fields only. Fields after `registryForm` are ignored, so that a client can send back the row that it read.
 */
export const updateProviderRegistryBody = z
  .strictObject({
    ...registryForm,
    provider_key: providerKey,
    value: providerKey,
    label: registryForm.display_name,
    models: registryForm.supported_models,
    default_endpoint: z.string().max(2048).nullable(),
    suggested_endpoint: z.string().max(2048).nullable(),
    default_model: z.string().max(200),
    is_built_in: z.boolean(),
    is_key_optional: z.boolean(),
  })
  .partial();

export const providerRegistryStats = z.object({
  total_providers: z.number().int(),
  active_providers: z.number().int(),
  total_models: z.number().int(),
  total_instances: z.number().int(),
});

const read = { surface: 'management', permission: 'providers.read' } as const;
const write = { surface: 'management', permission: 'super_admin' } as const;

export const providerRegistryRoutes = defineRoutes({
  listProviderRegistry: {
    ...read,
    method: 'GET',
    path: '/provider-registry',
    summary: 'List the vendors available for provider instances',
    response: z.array(providerRegistryEntry),
  },
  createProviderRegistryEntry: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/provider-registry',
    summary: "Add a vendor; it is active immediately if its endpoint supports OpenAI's protocol",
    request: { body: createProviderRegistryBody },
    response: providerRegistryEntry,
    status: 201,
  },
  getProviderRegistryEntry: {
    ...read,
    method: 'GET',
    path: '/provider-registry/{id}',
    summary: 'Get a vendor',
    request: { params: idParams },
    response: providerRegistryEntry,
  },
  updateProviderRegistryEntry: {
    ...write,
    method: 'PUT',
    path: '/provider-registry/{id}',
    summary: 'Change some fields of a vendor, or disable it for all tenants',
    request: { params: idParams, body: updateProviderRegistryBody },
    response: providerRegistryEntry,
  },
  deleteProviderRegistryEntry: {
    ...write,
    method: 'DELETE',
    path: '/provider-registry/{id}',
    summary: 'Delete a vendor that is not built in and has no instances',
    request: { params: idParams },
    response: z.undefined(),
    status: 204,
  },
  getProviderRegistryStats: {
    ...read,
    method: 'GET',
    path: '/provider-registry/summary/stats',
    summary: 'Get the number of vendors and models',
    response: providerRegistryStats,
  },
});
