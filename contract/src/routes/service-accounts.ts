import { z } from 'zod';
import { apiKeyName } from '../api-key-limits.ts';
import { id, idParams, instant } from '../ids.ts';
import { spend } from '../money.ts';
import { defineRoutes } from '../route.ts';
import { missingAccess } from './users.ts';

/** `admin` is for management tokens of tenant-owned accounts. */
export const serviceAccountRoles = ['user', 'admin'] as const;

const role = z.enum(serviceAccountRoles);
const teamId = id.nullable();

/** By default, the tenant owns the account, and the account has the role `user` and no deviation score. */
export const createServiceAccountBody = z.strictObject({
  name: apiKeyName,
  team_id: teamId.default(null),
  role: role.default('user'),
  scores_deviation: z.boolean().default(false),
});

export const updateServiceAccountBody = z
  .strictObject({
    name: apiKeyName,
    team_id: teamId,
    role,
    scores_deviation: z.boolean(),
    is_active: z.boolean(),
  })
  .partial();

/** `id` is also a user ID: the limits, grants, tasks, budgets and logs of the account are those of this user. */
export const serviceAccount = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Team that owns the account and whose grants it uses. `null` for the tenant. */
  team_id: z.number().int().nullable(),
  team_name: z.string().nullable(),
  role,
  is_active: z.boolean(),
  is_blocked: z.boolean(),
  /** Whether requests change a deviation score, which can block the account. */
  scores_deviation: z.boolean(),
  missing: missingAccess,
  /** Counts keys that are neither revoked nor expired. */
  keys_count: z.number().int(),
  tokens_count: z.number().int(),
  /** Next expiry. `null` if no key expires. */
  keys_expire_at: instant.nullable(),
  /** Includes the use of management tokens. */
  last_used_at: instant.nullable(),
  created_at: instant,
  ...spend,
});

export type ServiceAccount = z.infer<typeof serviceAccount>;

const read = { surface: 'management', permission: 'users.read' } as const;
const write = { surface: 'management', permission: 'users.write' } as const;
const path = '/admin/service-accounts/{id}';

export const serviceAccountsRoutes = defineRoutes({
  listServiceAccounts: {
    ...read,
    method: 'GET',
    path: '/admin/service-accounts',
    summary: 'List the service accounts by name',
    response: z.array(serviceAccount),
  },
  getServiceAccount: {
    ...read,
    method: 'GET',
    path,
    summary: 'Get a service account',
    request: { params: idParams },
    response: serviceAccount,
  },
  createServiceAccount: {
    ...write,
    idempotent: true,
    method: 'POST',
    path: '/admin/service-accounts',
    summary: 'Create a service account, which a team or the tenant owns',
    request: { body: createServiceAccountBody },
    response: serviceAccount,
    status: 201,
  },
  updateServiceAccount: {
    ...write,
    method: 'PATCH',
    path,
    summary: 'Change the name, owner, role or state of a service account',
    request: { params: idParams, body: updateServiceAccountBody },
    response: serviceAccount,
  },
  deleteServiceAccount: {
    ...write,
    method: 'DELETE',
    path,
    summary: 'Delete a service account and revoke its keys and tokens; its log rows are kept',
    request: { params: idParams },
    response: z.void(),
    status: 204,
  },
});
