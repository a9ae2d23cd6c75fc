import { z } from 'zod';
import { bulkOutcomes, bulkRowsMax } from '../bulk.ts';
import { whenAbsent } from '../describe-field-problem.ts';
import { email } from '../email.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { foldPassword } from '../fold-text.ts';
import { id, idOr, idParams, instant, requestId } from '../ids.ts';
import { logStatuses } from '../log-query/log-query.ts';
import { spend } from '../money.ts';
import { pageLimit, pageSkip } from '../pagination.ts';
import { roleNames } from '../permissions.ts';
import { defineRoutes } from '../route.ts';

/** A `service` account is not a person: it has keys and limits, and never signs in. */
export const userKinds = ['person', 'service'] as const;

const quotaMax = 999_999_999_999_999;

const name = z
  .string(whenAbsent('Name is required'))
  .trim()
  .min(1, 'Name is required')
  .max(200, 'Name must be at most 200 characters')
  .refine(isPlainLine, notPlainLine('Name'));

export const password = z
  .string(whenAbsent('Password is required'))
  .overwrite(foldPassword)
  .min(1, 'Password is required')
  .min(6, 'Password must be at least 6 characters')
  .max(128, 'Password must be at most 128 characters');

/** The gateway rejects requests of an active user or service account with the role `user` if one of these is missing. */
export const missingAccess = z.array(z.enum(['task', 'models']));

const roleId = idOr('Role selection is required');

/** `null` means unlimited. */
export const quota = (label: string, min: number, problem: string) => {
  const range = `${label} must be a whole number of at most 15 digits`;
  return z.number(range).int(range).min(min, problem).max(quotaMax, range).nullable();
};

export const blockReasonMax = 500;

/**
 * A limit of `null` means unlimited. Omitted limits default to the settings of the tenant, initially 1000, 30000 and
 * 100.
 */
export const createUserBody = z.strictObject({
  email,
  name,
  password,
  role_id: roleId,
  daily_quota: quota('Daily quota', 1, 'Daily quota must be at least 1').optional(),
  monthly_quota: quota('Monthly quota', 1, 'Monthly quota must be at least 1').optional(),
  requests_per_hour: quota('Requests per hour', 1, 'Requests per hour must be at least 1').optional(),
});

export const updateUserBody = z
  .strictObject({
    email,
    name,
    role_id: roleId,
    daily_quota: quota('Daily quota', 0, 'Daily quota must be non-negative'),
    monthly_quota: quota('Monthly quota', 0, 'Monthly quota must be non-negative'),
    requests_per_hour: quota('Requests per hour', 0, 'Requests per hour must be non-negative'),
    is_active: z.boolean(),
  })
  .partial();

export const setPasswordBody = z.strictObject({ password });

/** The reason is shown to the user. */
export const blockUserQuery = z.strictObject({
  reason: z
    .string(whenAbsent('A reason is required'))
    .trim()
    .min(1, 'A reason is required')
    .max(blockReasonMax, `A reason must be at most ${blockReasonMax} characters`),
});

const limits = updateUserBody.pick({ daily_quota: true, monthly_quota: true, requests_per_hour: true });

export const changeUsersBody = z.strictObject({
  user_ids: z.array(id).min(1).max(bulkRowsMax),
  change: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('limits'), ...limits.shape }),
    z.strictObject({ kind: z.literal('team'), team_id: id }),
    z.strictObject({ kind: z.literal('task'), task_id: id }),
    /** Grants all models that the provider enables. */
    z.strictObject({ kind: z.literal('models'), llm_provider_id: id }),
    z.strictObject({ kind: z.literal('block'), ...blockUserQuery.shape }),
    z.strictObject({ kind: z.literal('unblock') }),
  ]),
});

export type UsersChange = z.output<typeof changeUsersBody>['change'];

export const user = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  role_id: z.number().int(),
  role_name: z.enum(roleNames),
  daily_quota: z.number().nullable(),
  monthly_quota: z.number().nullable(),
  requests_per_hour: z.number().nullable(),
  current_daily_usage: z.number(),
  current_monthly_usage: z.number(),
  /** Tokens reserved for running and upcoming requests, in addition to the used tokens. The unused part is released. */
  held_daily_usage: z.number(),
  held_monthly_usage: z.number(),
  /**
   * Limits of which an active user has used at least 80%. `budget` is a budget of the user that refuses or downgrades
   * requests.
   */
  near_limits: z.array(
    z.object({ limit: z.enum(['tokens_per_day', 'tokens_per_month', 'budget']), is_reached: z.boolean() }),
  ),
  is_active: z.boolean(),
  is_blocked: z.boolean(),
  blocked_reason: z.string().nullable(),
  /** Ranges from 0 (on task) to 1. */
  deviation_score: z.number(),
  missing: missingAccess,
  has_second_factor: z.boolean(),
  last_login: instant.nullable(),
  created_at: instant,
  /** `scim` if an identity provider manages the user by SCIM. */
  provisioned_by: z.enum(['scim']).nullable(),
  kind: z.enum(userKinds),
  ...spend,
});

export type User = z.infer<typeof user>;

/** `held` is reserved for running and upcoming requests, in addition to `used`. A `limit` of `null` means unlimited. */
const limitUse = { limit: z.number().nullable(), used: z.number(), held: z.number() };

export const userStanding = z.object({
  /** Ranges from 0 (on task) to 1. */
  deviation_score: z.number(),
  /** Usage resets to 0 at the end of each window. */
  limits: z.array(
    z.object({
      kind: z.enum(['requests_per_hour', 'tokens_per_day', 'tokens_per_month']),
      ...limitUse,
      resets_at: instant,
    }),
  ),
  /** `is_active` is true if both the team and the membership are active. */
  teams: z.array(
    z.object({
      team_id: z.number().int(),
      team_name: z.string(),
      role: z.enum(['member', 'admin']),
      is_active: z.boolean(),
    }),
  ),
  /** Active assignments. The limit is in tokens and has no window. */
  tasks: z.array(
    z.object({
      task_id: z.number().int(),
      task_title: z.string(),
      /** Whether the gateway accepts requests for the task. */
      is_active: z.boolean(),
      is_dummy_task: z.boolean(),
      progress_notes: z.string(),
      assigned_at: instant,
      requests: z.number(),
      ...limitUse,
    }),
  ),
  /** Latest ten requests, without prompts and responses. */
  recent_requests: z.array(
    z.object({
      id: requestId,
      timestamp: instant,
      model: z.string().nullable(),
      status: z.enum(logStatuses),
      error_code: z.string().nullable(),
      repeats: z.number().int(),
      total_tokens: z.number(),
    }),
  ),
  signed_in_tools: z.number().int(),
  open_appeal: z.object({ id: z.number().int(), message: z.string(), created_at: instant }).nullable(),
});

export type UserStanding = z.infer<typeof userStanding>;

const write = { surface: 'management', permission: 'users.write', response: user } as const;

export const usersRoutes = defineRoutes({
  listUsers: {
    method: 'GET',
    path: '/admin/users',
    surface: 'management',
    permission: 'users.read',
    summary: 'List all users of the tenant, or one page of them if skip or limit is given',
    request: {
      query: z.strictObject({
        skip: pageSkip.optional(),
        limit: pageLimit.optional(),
      }),
    },
    response: z.array(user),
  },
  getUser: {
    method: 'GET',
    path: '/admin/users/{id}',
    surface: 'management',
    permission: 'users.read',
    summary: 'Get a user',
    request: { params: idParams },
    response: user,
  },
  getUserStanding: {
    method: 'GET',
    path: '/admin/users/{id}/standing',
    surface: 'management',
    permission: 'users.read',
    summary: "Get a user's score, limits, teams, tasks, newest requests and open appeal",
    request: { params: idParams },
    response: userStanding,
  },
  createUser: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/users',
    summary: 'Create a user',
    request: { body: createUserBody },
    status: 201,
  },
  updateUser: {
    ...write,
    method: 'PUT',
    path: '/admin/users/{id}',
    summary: 'Change some fields of a user',
    request: { params: idParams, body: updateUserBody },
  },
  changeUsers: {
    ...write,
    idempotent: true,
    method: 'POST',
    path: '/admin/users/bulk',
    summary:
      'Change up to 500 users in one transaction; users that cannot be changed are reported and do not affect the others',
    request: { body: changeUsersBody },
    response: bulkOutcomes,
  },
  blockUser: {
    ...write,
    method: 'POST',
    path: '/admin/users/{id}/block',
    summary: 'Block a user, with a reason that the user sees',
    request: {
      params: idParams,
      query: blockUserQuery,
    },
  },
  unblockUser: {
    ...write,
    method: 'POST',
    path: '/admin/users/{id}/unblock',
    summary: 'Unblock a user',
    request: { params: idParams },
  },
  changeUserPassword: {
    ...write,
    refusesTokens: true,
    method: 'POST',
    path: '/admin/users/{id}/change-password',
    summary: "Set a user's password and end all of the user's sessions",
    request: { params: idParams, body: setPasswordBody },
  },
});
