import { z } from 'zod';
import { apiKeyName } from '../api-key-limits.ts';
import { idParams, instant } from '../ids.ts';
import { managementScopes } from '../management-scopes.ts';
import { defineRoutes } from '../route.ts';

const lifetimeMaxMs = 366 * 24 * 3_600_000;

/** Every token expires, after a year at the latest. */
export const createManagementTokenBody = z.strictObject({
  name: apiKeyName,
  scopes: z
    .array(z.enum(managementScopes, 'Please choose a listed scope'))
    .min(1, 'Choose at least one scope')
    .max(managementScopes.length)
    .transform((chosen) => managementScopes.filter((scope) => chosen.includes(scope))),
  expires_at: instant
    .refine((text) => Date.parse(text) > Date.now(), 'This time is in the past')
    .refine(
      (text) => Date.parse(text) <= Date.now() + lifetimeMaxMs,
      'A token can be valid for at most a year',
    ),
});

export const managementToken = z.object({
  id: z.number().int(),
  name: z.string(),
  masked_token: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  scopes: z.array(z.enum(managementScopes)),
  user_id: z.number().int(),
  user_name: z.string(),
  user_email: z.string(),
  created_at: instant,
  expires_at: instant,
  /** Delayed by up to a minute. */
  last_used_at: instant.nullable(),
  last_used_address: z.string().nullable(),
});

export type ManagementToken = z.infer<typeof managementToken>;

/** The token is returned only in this response. */
export const newManagementToken = z.object({ token: z.string(), management_token: managementToken });

const own = { surface: 'management', permission: 'account.read' } as const;

export const managementTokensRoutes = defineRoutes({
  listOwnManagementTokens: {
    ...own,
    method: 'GET',
    path: '/user/management-tokens',
    summary: "List the caller's management tokens without their secrets, newest first",
    response: z.array(managementToken),
  },
  createManagementToken: {
    ...own,
    idempotent: true,
    sessionOnly: true,
    method: 'POST',
    path: '/user/management-tokens',
    summary: 'Create a token for the management API that acts for the caller within its scopes',
    request: { body: createManagementTokenBody },
    response: newManagementToken,
    status: 201,
  },
  revokeOwnManagementToken: {
    ...own,
    method: 'DELETE',
    path: '/user/management-tokens/{id}',
    summary: "Revoke one of the caller's management tokens",
    request: { params: idParams },
    response: managementToken,
  },
  listManagementTokens: {
    method: 'GET',
    path: '/admin/management-tokens',
    surface: 'management',
    permission: 'users.read',
    summary: 'List the management tokens of all users without their secrets, newest first',
    response: z.array(managementToken),
  },
  revokeManagementToken: {
    method: 'DELETE',
    path: '/admin/management-tokens/{id}',
    surface: 'management',
    permission: 'api_keys.write',
    summary: "Revoke a user's management token",
    request: { params: idParams },
    response: managementToken,
  },
});
