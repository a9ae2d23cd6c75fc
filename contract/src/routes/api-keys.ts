import { z } from 'zod';
import { idParams, instant } from '../ids.ts';
import { apiKeyScopes } from '../permissions.ts';
import { defineRoutes } from '../route.ts';

/** The newest key, revoked and expired ones too; `has_api_key` is false only for a user who never had one. */
export const apiKeyStatus = z.object({
  has_api_key: z.boolean(),
  api_key_status: z
    .object({
      name: z.string(),
      masked_key: z.string(),
      is_active: z.boolean(),
      is_expired: z.boolean(),
      scopes: z.array(z.enum(apiKeyScopes)),
      created_at: instant,
      last_used_at: instant.nullable(),
      expires_at: instant.nullable(),
    })
    .nullable(),
});

export type ApiKeyStatus = z.infer<typeof apiKeyStatus>;

/** The secret is in this answer and nowhere else, ever. */
export const apiKeySecret = z.object({ api_key: z.string() });

const write = { surface: 'management', permission: 'api_keys.write' } as const;
const path = '/admin/users/{id}/api-key';

export const apiKeysRoutes = defineRoutes({
  getUserApiKey: {
    method: 'GET',
    path,
    surface: 'management',
    permission: 'users.read',
    summary: "The state of a user's API key",
    request: { params: idParams },
    response: apiKeyStatus,
  },
  createUserApiKey: {
    ...write,
    method: 'POST',
    path,
    summary: 'Make an API key for a user who has none',
    request: { params: idParams },
    response: apiKeySecret,
    status: 201,
  },
  regenerateUserApiKey: {
    ...write,
    method: 'PUT',
    path: '/admin/users/{id}/api-key/regenerate',
    summary: "Revoke a user's API key and make a new one",
    request: { params: idParams },
    response: apiKeySecret,
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
