import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { id, idParams, instant } from '../ids.ts';
import { spend, usd } from '../money.ts';
import { defineRoutes } from '../route.ts';
import { fallbackDrill } from './fallback-drill.ts';
import { modelPricing } from './pricing.ts';
import { providerKey, storedModelName } from './provider-registry.ts';
import { providerTimeouts } from './provider-timeouts.ts';

const instanceName = z
  .string(whenAbsent('Instance name is required'))
  .trim()
  .min(1, 'Instance name is required')
  .max(100, 'Instance name must be at most 100 characters')
  .refine(isPlainLine, notPlainLine('Instance name'));

const apiKey = z
  .string()
  .trim()
  .max(4096)
  .regex(/^[!-~]*$/, 'API key must contain only printable ASCII characters without spaces');

const apiEndpoint = z.string().trim().max(2048);

/** Accepts a registry id or key. */
const vendor = z.union([id, z.string().trim().min(1).max(100).pipe(providerKey)], {
  error: ({ input }) => ((input ?? '') === '' ? 'Provider type is required' : undefined),
});

const aliasesMax = 500;
const maintenanceReasonMax = 200;

/** Maps alternative names to a model of the instance. */
const modelAliases = z
  .record(storedModelName, storedModelName)
  .refine(
    (aliases) => Object.keys(aliases).length <= aliasesMax,
    `A provider can have at most ${aliasesMax} aliases`,
  )
  .meta({ maxProperties: aliasesMax });

export const createLlmProviderBody = z.strictObject({
  provider_registry_id: vendor,
  provider_instance_name: instanceName,
  api_key: apiKey.optional(),
  api_endpoint: apiEndpoint.nullish(),
  enabled_models: z.array(storedModelName).max(1000),
  /** Found by a connection test. Enabled models are chosen from this list. */
  available_models: z.array(storedModelName).max(1000).optional(),
  default_model: storedModelName.nullish(),
  model_aliases: modelAliases.optional(),
  is_default: z.boolean().default(false),
  is_active: z.boolean().default(true),
  is_service_managed: z.boolean().default(false),
  ...z.object(providerTimeouts).partial().shape,
});

/** `null` if the instance accepts requests. */
const maintenance = z
  .object({
    since: instant,
    until: instant.nullable(),
    reason: z.string().max(maintenanceReasonMax).nullable(),
  })
  .nullable();

/** Instances without a position follow by age. */
const fallbackPosition = z.number().int().nullable();

/**
 * Changed fields only. Fields after the timeouts are ignored, so that a client can send back the row that it read. A
 * new endpoint also requires the API key. An empty endpoint resets to the vendor's endpoint.
 */
export const updateLlmProviderBody = z
  .strictObject({
    provider_instance_name: instanceName,
    api_key: apiKey.min(1, 'API key cannot be empty'),
    api_endpoint: apiEndpoint.nullable(),
    enabled_models: z.array(storedModelName).max(1000),
    available_models: z.array(storedModelName).max(1000),
    default_model: storedModelName.nullable(),
    model_aliases: modelAliases,
    is_default: z.boolean(),
    is_active: z.boolean(),
    ...providerTimeouts,
    provider_registry_id: id,
    provider_key: z.string().max(100),
    is_service_managed: z.boolean(),
    has_api_key: z.boolean(),
    maintenance,
    fallback_position: fallbackPosition,
  })
  .partial();

/** The key and endpoint are tested before they are stored. */
export const testLlmProviderBody = z.strictObject({
  provider_registry_id: vendor,
  api_key: apiKey.optional(),
  api_endpoint: apiEndpoint.nullish(),
});

/** `error` is a message for the administrator, and `null` on success. */
export const connectionTest = z.object({
  success: z.boolean(),
  available_models: z.array(z.string()),
  error: z.string().nullable(),
});

export type ConnectionTest = z.infer<typeof connectionTest>;

/** Without `until`, maintenance lasts until an administrator ends it. Without `reason`, callers get no reason. */
export const startMaintenanceBody = z.strictObject({
  until: instant.refine((text) => Date.parse(text) > Date.now(), 'The time must be in the future').nullish(),
  reason: z
    .string()
    .trim()
    .max(maintenanceReasonMax, `Reason must be at most ${maintenanceReasonMax} characters`)
    .nullish(),
});

/** Unlisted instances follow. */
export const setFallbackOrderBody = z.strictObject({ llm_provider_ids: z.array(id).max(1000) });

const overlapHoursMax = 168;

/** With an overlap of 0 hours the previous key is deleted immediately. */
export const rotateLlmProviderKeyBody = z.strictObject({
  api_key: apiKey.min(1, 'API key cannot be empty'),
  overlap_hours: z.number().int().min(0).max(overlapHoursMax).default(24),
});

export const llmProvider = z.object({
  id: z.number().int(),
  provider_registry_id: z.number().int(),
  provider_key: z.string(),
  provider_instance_name: z.string(),
  api_endpoint: z.string().nullable(),
  has_api_key: z.boolean(),
  enabled_models: z.array(z.string()),
  available_models: z.array(z.string()),
  default_model: z.string().nullable(),
  model_aliases: z.record(z.string(), z.string()),
  is_default: z.boolean(),
  is_active: z.boolean(),
  is_service_managed: z.boolean(),
  maintenance,
  fallback_position: fallbackPosition,
  ...providerTimeouts,
  /** Set while the previous key remains valid in addition to the new key. */
  key_overlap: z
    .object({
      ends_at: instant,
      /** When the provider last rejected the new key and the previous key was used instead. */
      new_key_refused_at: instant.nullable(),
    })
    .nullable(),
  created_at: instant,
});

export type LlmProvider = z.infer<typeof llmProvider>;

/** Each list contains the first 100 entries. */
export const llmProviderDeletionImpact = z.object({
  provider_name: z.string(),
  message: z.string(),
  has_impact: z.boolean(),
  impact: z.object({
    affected_users: z.number().int(),
    affected_teams: z.number().int(),
    user_list: z.array(
      z.object({ user_id: z.number().int(), user_name: z.string(), user_email: z.string() }),
    ),
    team_list: z.array(z.object({ team_id: z.number().int(), team_name: z.string() })),
  }),
});

export type LlmProviderDeletionImpact = z.infer<typeof llmProviderDeletionImpact>;

/** Covers the last 24 hours. */
export const llmProviderHealth = z.object({
  llm_provider_id: z.number().int(),
  last_success_at: instant.nullable(),
  requests: z.number().int(),
  /** From 0 to 1. `null` if there were no requests. */
  error_rate: z.number().nullable(),
  /** In milliseconds, over the latest successful responses. `null` without a successful response. */
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  spend: usd,
  /** Models that a node skips because of repeated failures. */
  models_in_cooldown: z.array(z.string()),
});

export type LlmProviderHealth = z.infer<typeof llmProviderHealth>;

/** Derived from the model's prices and known properties. */
export const modelAbilities = [
  'chat',
  'embeddings',
  'vision',
  'tools',
  'reasoning',
  'prompt_caching',
] as const;

/** For a model from a vendor's list that no instance enables, the instance fields are `null`. */
export const offeredModel = z.object({
  model: z.string(),
  provider_key: z.string(),
  provider_name: z.string(),
  llm_provider_id: z.number().int().nullable(),
  provider_instance_name: z.string().nullable(),
  aliases: z.array(z.string()),
  /** `null` if the model is not blacklisted. */
  blacklist_reason: z.string().nullable(),
  abilities: z.array(z.enum(modelAbilities)),
  /** The price excludes the markup. `null` if no price is known. */
  pricing: modelPricing.nullable(),
  /** Active users who may use the model at this instance. */
  permitted_users: z.number().int().nullable(),
  ...spend,
});

export type OfferedModel = z.infer<typeof offeredModel>;

export const llmProvidersRoutes = defineRoutes({
  listLlmProviders: {
    method: 'GET',
    path: '/llm-providers',
    surface: 'management',
    permission: 'providers.read',
    summary: "List the tenant's provider instances; keys are never included",
    response: z.array(llmProvider),
  },
  listLlmProviderHealth: {
    method: 'GET',
    path: '/llm-providers/health',
    surface: 'management',
    permission: 'providers.read',
    summary: 'Get the health of each provider instance over the last 24 hours',
    response: z.array(llmProviderHealth),
  },
  listOfferedModels: {
    method: 'GET',
    path: '/llm-providers/models',
    surface: 'management',
    permission: 'providers.read',
    summary:
      'List the models that active instances enable, or the whole price list, with prices, context size and permitted users',
    request: { query: z.strictObject({ scope: z.enum(['enabled', 'listed']).default('enabled') }) },
    response: z.array(offeredModel),
  },
  createLlmProvider: {
    idempotent: true,
    method: 'POST',
    path: '/llm-providers',
    surface: 'management',
    permission: 'providers.write',
    summary: 'Add a provider instance',
    request: { body: createLlmProviderBody },
    response: llmProvider,
    status: 201,
  },
  testLlmProvider: {
    method: 'POST',
    path: '/llm-providers/test',
    surface: 'management',
    permission: 'providers.write',
    summary: 'Test a key against an endpoint and list its models; free of charge, and nothing is stored',
    request: { body: testLlmProviderBody },
    response: connectionTest,
  },
  testSavedLlmProvider: {
    method: 'POST',
    path: '/llm-providers/{id}/test',
    surface: 'management',
    permission: 'providers.write',
    summary:
      'Test a provider instance with its stored key and list its models; free of charge, and nothing is changed',
    request: { params: idParams },
    response: connectionTest,
  },
  listServiceManagedModels: {
    method: 'GET',
    path: '/llm-providers/service-managed/{id}/models',
    surface: 'management',
    permission: 'providers.write',
    summary: 'List the models of a vendor, by its registry id, that a service-managed instance can offer',
    request: { params: idParams },
    response: connectionTest,
  },
  updateLlmProvider: {
    method: 'PUT',
    path: '/llm-providers/{id}',
    surface: 'management',
    permission: 'providers.write',
    summary: 'Change some fields of a provider instance; a new endpoint requires the key again',
    request: { params: idParams, body: updateLlmProviderBody },
    response: llmProvider,
  },
  startMaintenance: {
    method: 'PUT',
    path: '/llm-providers/{id}/maintenance',
    surface: 'management',
    permission: 'providers.write',
    summary:
      'Start maintenance of a provider instance: it receives no new requests until a given time or until maintenance is ended; grants stay',
    request: { params: idParams, body: startMaintenanceBody },
    response: llmProvider,
  },
  endMaintenance: {
    method: 'DELETE',
    path: '/llm-providers/{id}/maintenance',
    surface: 'management',
    permission: 'providers.write',
    summary: 'End the maintenance of a provider instance',
    request: { params: idParams },
    response: llmProvider,
  },
  setFallbackOrder: {
    method: 'PUT',
    path: '/llm-providers/fallback-order',
    surface: 'management',
    permission: 'providers.write',
    summary: 'Set the order in which instances that serve a model are tried; defaults always come first',
    request: { body: setFallbackOrderBody },
    response: z.array(llmProvider),
  },
  rotateLlmProviderKey: {
    idempotent: true,
    method: 'POST',
    path: '/llm-providers/{id}/rotate-key',
    surface: 'management',
    permission: 'providers.write',
    summary:
      'Rotate the key of a provider instance; the previous key is used as a fallback during the overlap',
    request: { params: idParams, body: rotateLlmProviderKeyBody },
    response: llmProvider,
  },
  endKeyOverlap: {
    method: 'POST',
    path: '/llm-providers/{id}/end-key-overlap',
    surface: 'management',
    permission: 'providers.write',
    summary: 'Delete the previous key of a provider instance immediately',
    request: { params: idParams },
    response: llmProvider,
  },
  drillFallbacks: {
    method: 'GET',
    path: '/llm-providers/{id}/fallback-drill',
    surface: 'management',
    permission: 'providers.read',
    summary: 'Simulate the requests of the last hour as if a provider instance had been down',
    request: { params: idParams },
    response: fallbackDrill,
  },
  getLlmProviderDeletionImpact: {
    method: 'GET',
    path: '/llm-providers/{id}/deletion-impact',
    surface: 'management',
    permission: 'providers.read',
    summary: 'List the objects that would be deleted with a provider instance',
    request: { params: idParams },
    response: llmProviderDeletionImpact,
  },
  deleteLlmProvider: {
    method: 'DELETE',
    path: '/llm-providers/{id}',
    surface: 'management',
    permission: 'providers.write',
    summary: 'Delete a provider instance with its key and grants',
    request: { params: idParams },
    response: z.undefined(),
    status: 204,
  },
});
