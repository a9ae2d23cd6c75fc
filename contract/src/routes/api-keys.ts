import { z } from 'zod';
import { idParams, instant } from '../ids.ts';
import { spend } from '../money.ts';
import { type ApiKeyScope, apiKeyScopes } from '../permissions.ts';
import { defineRoutes } from '../route.ts';

const scopes = z
  .array(z.enum(apiKeyScopes))
  .min(1, 'Choose at least one scope')
  .max(apiKeyScopes.length)
  .transform((chosen): ApiKeyScope[] => apiKeyScopes.filter((scope) => chosen.includes(scope)));

const expiresAt = instant
  .refine((text) => Date.parse(text) > Date.now(), 'This time is in the past')
  .nullable();

/** Defaults to all scopes and no expiry. */
export const createApiKeyBody = z.strictObject({
  scopes: scopes.default([...apiKeyScopes]),
  expires_at: expiresAt.default(null),
});

const overlapHoursMax = 168;

/**
 * Defaults to the scopes and lifetime of the previous key, and no overlap. The previous key stays valid during the
 * overlap, but not beyond its own expiry.
 */
export const regenerateApiKeyBody = z.strictObject({
  scopes: scopes.optional(),
  expires_at: expiresAt.optional(),
  overlap_hours: z.number().int().min(0).max(overlapHoursMax).default(0),
});

/** Scopes and expiry stay those of the previous key: a user cannot extend what an administrator has limited. */
export const regenerateOwnApiKeyBody = regenerateApiKeyBody.pick({ overlap_hours: true });

/** Newest key, including revoked and expired ones; `has_api_key` is false only for a user who never had a key. */
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
  /** The previous key, while both are valid. */
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

/** The secret is returned only in this response. */
export const apiKeySecret = z.object({ api_key: z.string() });

const write = { surface: 'management', permission: 'api_keys.write' } as const;
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
    summary: 'Create an API key for a user who has none',
    request: { params: idParams, body: createApiKeyBody.prefault({}) },
    response: apiKeySecret,
    status: 201,
  },
  regenerateUserApiKey: {
    ...write,
    method: 'PUT',
    path: '/admin/users/{id}/api-key/regenerate',
    summary: 'Create a new API key for a user; the previous one expires at once or after an overlap',
    request: { params: idParams, body: regenerateApiKeyBody.prefault({}) },
    response: apiKeySecret,
  },
  regenerateOwnApiKey: {
    surface: 'management',
    permission: 'account.read',
    method: 'PUT',
    path: '/user/api-key/regenerate',
    summary: "Create a new API key in place of the caller's valid one, if the tenant allows it",
    request: { body: regenerateOwnApiKeyBody.prefault({}) },
    response: apiKeySecret,
  },
  endApiKeyOverlap: {
    ...write,
    method: 'POST',
    path: '/admin/users/{id}/api-key/end-overlap',
    summary: "End the overlap of a user's keys: the previous key is revoked at once",
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
});
