import { z } from 'zod';
import { apiKeyDialects, apiKeyKinds, apiKeyLimits, apiKeyName } from '../api-key-limits.ts';
import { id, idParams, instant } from '../ids.ts';
import { spend } from '../money.ts';
import { pageBefore, pageQuery } from '../pagination.ts';
import { type ApiKeyScope, apiKeyScopes } from '../permissions.ts';
import { defineRoutes } from '../route.ts';
import { budgetUsd, findLimitProblem } from './budgets.ts';

const scopes = z
  .array(z.enum(apiKeyScopes))
  .min(1, 'Choose at least one scope')
  .max(apiKeyScopes.length)
  .transform((chosen): ApiKeyScope[] => apiKeyScopes.filter((scope) => chosen.includes(scope)));

const expiresAt = instant
  .refine((text) => Date.parse(text) > Date.now(), 'The time must be in the future')
  .nullable();

/** Defaults to all scopes and no expiry. */
export const createApiKeyBody = z.strictObject({
  scopes: scopes.default([...apiKeyScopes]),
  expires_at: expiresAt.default(null),
});

/** 7 days. */
const overlapSecondsMax = 604_800;

/**
 * Defaults to the scopes and lifetime of the previous key, and no overlap. The previous key stays valid during the
 * overlap, but not beyond its own expiry.
 */
export const regenerateApiKeyBody = z.strictObject({
  scopes: scopes.optional(),
  expires_at: expiresAt.optional(),
  overlap_seconds: z.number().int().min(0).max(overlapSecondsMax).default(0),
});

/** Keeps the scopes and expiry of the previous key, so that users cannot extend limits set by an administrator. */
export const regenerateOwnApiKeyBody = regenerateApiKeyBody.pick({ overlap_seconds: true });

/** The newest key may be revoked or expired. `has_api_key` is false only for a user who never had a key. */
export const apiKeyStatus = z.object({
  has_api_key: z.boolean(),
  api_key_status: z
    .object({
      id: z.number().int(),
      name: z.string(),
      masked_key: z.string(),
      is_active: z.boolean(),
      is_expired: z.boolean(),
      scopes: z.array(z.enum(apiKeyScopes)),
      created_at: instant,
      last_used_at: instant.nullable(),
      expires_at: instant.nullable(),
      ...spend,
    })
    .nullable(),
  /** Set while both the previous and the new key are valid. */
  former_key: z
    .object({
      id: z.number().int(),
      masked_key: z.string(),
      last_used_at: instant.nullable(),
      expires_at: instant,
    })
    .nullable(),
});

export type ApiKeyStatus = z.infer<typeof apiKeyStatus>;

/** Returned only in this response. */
export const apiKeySecret = z.object({ api_key: z.string() });

/** `superseded` keys were replaced by a new key and remain valid until `expires_at`. */
export const apiKeyStates = ['active', 'superseded', 'expired', 'revoked'] as const;

/** `null` for models, dialects or networks allows all of them. */
export const apiKey = z.object({
  id: z.number().int(),
  name: z.string(),
  masked_key: z.string(),
  kind: z.enum(apiKeyKinds),
  state: z.enum(apiKeyStates),
  user_id: z.number().int(),
  user_name: z.string(),
  user_email: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)),
  models: z.array(z.string()).nullable(),
  dialects: z.array(z.enum(apiKeyDialects)).nullable(),
  allowed_networks: z.array(z.string()).nullable(),
  task_id: z.number().int().nullable(),
  task_title: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  created_at: instant,
  /** `null` for the system. */
  created_by: z.number().int().nullable(),
  created_by_name: z.string().nullable(),
  expires_at: instant.nullable(),
  last_used_at: instant.nullable(),
  last_used_address: z.string().nullable(),
  last_used_model: z.string().nullable(),
  ...spend,
});

export type ApiKey = z.infer<typeof apiKey>;

/** `api_key` is the secret, returned only in this response. */
export const newApiKey = apiKeySecret.extend({ key: apiKey });

const { models, dialects, allowed_networks, task_id, labels } = apiKeyLimits;

/** Defaults to all scopes, models, protocols and networks, and no expiry. */
export const createNamedApiKeyBody = z.strictObject({
  name: apiKeyName,
  scopes: scopes.default([...apiKeyScopes]),
  models: models.default(null),
  dialects: dialects.default(null),
  allowed_networks: allowed_networks.default(null),
  task_id: task_id.default(null),
  labels: labels.default({}),
  expires_at: expiresAt.default(null),
});

/** The owner is either a user or a service account. */
export const createApiKeyOfBody = createNamedApiKeyBody
  .extend({ user_id: id.optional(), service_account_id: id.optional() })
  .refine(
    ({ user_id, service_account_id }) => (user_id === undefined) !== (service_account_id === undefined),
    {
      path: ['user_id'],
      error: 'Please select a user or a service account',
    },
  );

export const updateApiKeyBody = z
  .strictObject({
    name: apiKeyName,
    scopes,
    models,
    dialects,
    allowed_networks,
    task_id,
    labels,
    expires_at: expiresAt,
  })
  .partial();

/**
 * Defaults to the lifetime of the previous key, and no overlap. The new key has the same restrictions as the previous
 * one.
 */
export const rotateApiKeyBody = regenerateApiKeyBody.pick({ expires_at: true, overlap_seconds: true });

const taskKeySeconds = { min: 1, max: 604_800, default: 28_800 } as const;

/** Defaults to 8 hours, all models and no budget. The key also expires when its task is closed. */
export const createTaskKeyBody = z.strictObject({
  name: apiKeyName.optional(),
  models: models.default(null),
  expires_in_seconds: z
    .int('Expires in seconds must be a whole number')
    .min(taskKeySeconds.min, 'Expires in seconds must be at least 1')
    .max(taskKeySeconds.max, 'Expires in seconds must be at most 604,800 (7 days)')
    .default(taskKeySeconds.default),
  /** In dollars. Requests that would exceed the amount are rejected. */
  budget_usd: budgetUsd.superRefine(refuseUnlikeUsd).nullish(),
});

function refuseUnlikeUsd(amount: number, { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  const problem = findLimitProblem('usd', amount);
  if (problem) addIssue({ code: 'custom', message: problem });
}

/** Includes whether the tenant allows users to create and rotate keys. */
export const ownApiKeys = z.object({
  api_keys: z.array(apiKey),
  /** Superseded, expired and revoked keys do not count. */
  named_keys_max: z.number().int(),
  may_create: z.boolean(),
  may_rotate: z.boolean(),
});

export type OwnApiKeys = z.infer<typeof ownApiKeys>;

const listApiKeysQuery = z.strictObject({
  user_id: id.optional(),
  kind: z.enum(apiKeyKinds).optional(),
  /** `usable` keys are active or superseded. `ended` keys have expired or been revoked. */
  state: z.enum(['usable', 'ended']).optional(),
  search: z.string().trim().max(200).optional(),
  ...pageQuery(50),
  before: pageBefore,
});

const write = { surface: 'management', permission: 'api_keys.write' } as const;
const own = { surface: 'management', permission: 'account.read' } as const;
const path = '/admin/users/{id}/api-key';

export const apiKeysRoutes = defineRoutes({
  getUserApiKey: {
    method: 'GET',
    path,
    surface: 'management',
    permission: 'users.read',
    summary: "Get the state of a user's API key",
    request: { params: idParams },
    response: apiKeyStatus,
  },
  createUserApiKey: {
    idempotent: true,
    ...write,
    method: 'POST',
    path,
    summary: 'Create an API key for a user who does not have one',
    request: { params: idParams, body: createApiKeyBody.prefault({}) },
    response: apiKeySecret,
    status: 201,
  },
  regenerateUserApiKey: {
    ...write,
    method: 'PUT',
    path: '/admin/users/{id}/api-key/regenerate',
    summary: 'Create a new API key for a user; the previous one expires immediately or after an overlap',
    request: { params: idParams, body: regenerateApiKeyBody.prefault({}) },
    response: apiKeySecret,
  },
  regenerateOwnApiKey: {
    refusesTokens: true,
    surface: 'management',
    permission: 'account.read',
    method: 'PUT',
    path: '/user/api-key/regenerate',
    summary: "Replace the caller's valid API key, if the tenant allows it",
    request: { body: regenerateOwnApiKeyBody.prefault({}) },
    response: apiKeySecret,
  },
  endApiKeyOverlap: {
    ...write,
    method: 'POST',
    path: '/admin/users/{id}/api-key/end-overlap',
    summary: "End the overlap of a user's keys: the previous key is revoked immediately",
    request: { params: idParams },
    response: apiKeyStatus,
  },
  revokeUserApiKey: {
    ...write,
    method: 'DELETE',
    path,
    summary: "Revoke a user's API key",
    request: { params: idParams },
    response: apiKeyStatus,
  },
  listApiKeys: {
    surface: 'management',
    permission: 'users.read',
    method: 'GET',
    path: '/admin/api-keys',
    summary:
      'List the API keys of all users that match the filters, newest first; the total is in X-Total-Count',
    request: { query: listApiKeysQuery },
    response: z.array(apiKey),
  },
  createApiKey: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/api-keys',
    summary: 'Create a named API key for a user or a service account',
    request: { body: createApiKeyOfBody },
    response: newApiKey,
    status: 201,
  },
  updateApiKey: {
    ...write,
    method: 'PUT',
    path: '/admin/api-keys/{id}',
    summary: 'Change the name, expiry and restrictions of an API key',
    request: { params: idParams, body: updateApiKeyBody },
    response: apiKey,
  },
  rotateApiKey: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/api-keys/{id}/rotate',
    summary:
      'Create a new API key in place of another; the previous one expires immediately or after an overlap',
    request: { params: idParams, body: rotateApiKeyBody.prefault({}) },
    response: newApiKey,
    status: 201,
  },
  revokeApiKey: {
    ...write,
    method: 'DELETE',
    path: '/admin/api-keys/{id}',
    summary: 'Revoke an API key',
    request: { params: idParams },
    response: apiKey,
  },
  listUserApiKeys: {
    ...own,
    method: 'GET',
    path: '/user/api-keys',
    summary: "List the caller's API keys without their secrets, newest first",
    response: ownApiKeys,
  },
  createOwnApiKey: {
    idempotent: true,
    ...own,
    refusesTokens: true,
    method: 'POST',
    path: '/user/api-keys',
    summary: 'Create a named API key for the caller, if the tenant allows it',
    request: { body: createNamedApiKeyBody },
    response: newApiKey,
    status: 201,
  },
  updateOwnApiKey: {
    ...own,
    method: 'PUT',
    path: '/user/api-keys/{id}',
    summary: 'Change an API key that the caller has created, if the tenant allows it',
    request: { params: idParams, body: updateApiKeyBody },
    response: apiKey,
  },
  rotateOwnApiKey: {
    idempotent: true,
    ...own,
    refusesTokens: true,
    method: 'POST',
    path: '/user/api-keys/{id}/rotate',
    summary: "Replace one of the caller's API keys, if the tenant allows it; the new key has the same expiry",
    request: { params: idParams, body: regenerateOwnApiKeyBody.prefault({}) },
    response: newApiKey,
    status: 201,
  },
  createTaskKey: {
    idempotent: true,
    ...own,
    refusesTokens: true,
    acceptsApiKey: true,
    method: 'POST',
    path: '/user/tasks/{id}/keys',
    summary:
      "Create a short-lived API key for one of the caller's assignments; it expires with the assignment or the task. Accepts one of the caller's API keys, whose restrictions and expiry the new key inherits",
    request: { params: idParams, body: createTaskKeyBody.prefault({}) },
    response: newApiKey,
    status: 201,
  },
  revokeOwnApiKey: {
    ...own,
    method: 'DELETE',
    path: '/user/api-keys/{id}',
    summary: "Revoke one of the caller's API keys",
    request: { params: idParams },
    response: apiKey,
  },
});
