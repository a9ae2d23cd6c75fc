import { z } from 'zod';
import { apiKeyName } from '../api-key-limits.ts';
import { id, idParams, instant } from '../ids.ts';
import { managementScopes } from '../management-scopes.ts';
import { pageBefore, pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { userKinds } from './users.ts';

const dayMs = 86_400_000;

/** Lifetime in days. */
export const managementTokenDays = { max: 366, default: 90 } as const;

/** Expires after 90 days by default, and after a year at the latest. */
export const createManagementTokenBody = z.strictObject({
  name: apiKeyName,
  scopes: z
    .array(z.enum(managementScopes, 'Please choose one of the listed scopes'))
    .min(1, 'Choose at least one scope')
    .max(managementScopes.length)
    .transform((chosen) => managementScopes.filter((scope) => chosen.includes(scope))),
  expires_at: instant
    .refine((text) => Date.parse(text) > Date.now(), 'The time must be in the future')
    .refine(
      (text) => Date.parse(text) <= Date.now() + managementTokenDays.max * dayMs,
      'A token can be valid for at most one year',
    )
    .optional(),
});

/** The owner is the caller, or a service account. */
export const createManagementTokenOfBody = createManagementTokenBody.extend({
  service_account_id: id.optional(),
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
  user_kind: z.enum(userKinds),
  created_at: instant,
  expires_at: instant,
  /** Delayed by up to a minute. */
  last_used_at: instant.nullable(),
  last_used_address: z.string().nullable(),
});

export type ManagementToken = z.infer<typeof managementToken>;

/** `token` is the secret, returned only in this response. */
export const newManagementToken = managementToken.extend({ token: z.string() });

export type NewManagementToken = z.infer<typeof newManagementToken>;

const listManagementTokensQuery = z.strictObject({
  user_id: id.optional(),
  /** `ended` tokens have expired or been revoked. */
  state: z.enum(['active', 'ended']).optional(),
  search: z.string().trim().max(200).optional(),
  ...pageQuery(50),
  before: pageBefore,
});

const own = { surface: 'management', permission: 'account.read' } as const;
const write = { surface: 'management', permission: 'api_keys.write' } as const;

export const managementTokensRoutes = defineRoutes({
  listOwnManagementTokens: {
    ...own,
    method: 'GET',
    path: '/user/tokens',
    summary: "List the caller's management tokens without their secrets, newest first",
    response: z.array(managementToken),
  },
  createOwnManagementToken: {
    ...own,
    idempotent: true,
    refusesTokens: true,
    method: 'POST',
    path: '/user/tokens',
    summary: 'Create a token for the management API that acts for the caller within its scopes',
    request: { body: createManagementTokenBody },
    response: newManagementToken,
    status: 201,
  },
  revokeOwnManagementToken: {
    ...own,
    method: 'DELETE',
    path: '/user/tokens/{id}',
    summary: "Revoke one of the caller's management tokens",
    request: { params: idParams },
    response: managementToken,
  },
  listManagementTokens: {
    method: 'GET',
    path: '/admin/tokens',
    surface: 'management',
    permission: 'users.read',
    summary:
      'List the management tokens of all users without their secrets, newest first; the total is in X-Total-Count',
    request: { query: listManagementTokensQuery },
    response: z.array(managementToken),
  },
  createManagementToken: {
    ...write,
    idempotent: true,
    inOwnTenant: true,
    refusesTokens: true,
    method: 'POST',
    path: '/admin/tokens',
    summary:
      'Create a token for the management API that acts for the caller, or for a service account, within its scopes',
    request: { body: createManagementTokenOfBody },
    response: newManagementToken,
    status: 201,
  },
  revokeManagementToken: {
    ...write,
    method: 'DELETE',
    path: '/admin/tokens/{id}',
    summary: "Revoke a user's management token",
    request: { params: idParams },
    response: managementToken,
  },
});
