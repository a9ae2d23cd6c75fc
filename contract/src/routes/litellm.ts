import { z } from 'zod';
import { keyNameAs } from '../api-key-limits.ts';
import { email } from '../email.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import {
  duration,
  fieldsOfNoUse,
  keyFields,
  keyReference,
  limits,
  metadata,
  models,
  reference,
  withoutEquivalent,
} from '../litellm-fields.ts';
import { defineRoutes } from '../route.ts';

/** The owner is a user, or a service account of a team. If both are omitted, the owner is the caller. */
const generateKeyBody = z.strictObject({
  ...keyFields,
  user_id: reference.nullish(),
  team_id: reference.nullish(),
  key_type: z.enum(['default', 'llm_api']).nullish(),
  ...withoutEquivalent(
    ...fieldsOfNoUse,
    'auto_rotate',
    'blocked',
    'key',
    'project_id',
    'rotation_interval',
    'send_invite_email',
  ),
});

const updateKeyBody = z.strictObject({
  key: keyReference,
  ...keyFields,
  ...withoutEquivalent(...fieldsOfNoUse, 'blocked', 'team_id', 'user_id'),
});

const keysMax = 100;

const deleteKeysBody = z
  .strictObject({
    keys: z.array(keyReference).max(keysMax).nullish(),
    key_aliases: z.array(z.string().trim().min(1).max(100)).max(keysMax).nullish(),
  })
  .refine(({ keys, key_aliases }) => (keys?.length ?? 0) + (key_aliases?.length ?? 0) > 0, {
    path: ['keys'],
    error: 'Enter keys or key_aliases',
  });

const shownLimits = {
  /** Dollars per `budget_duration`. `null` if there is no budget. */
  max_budget: z.number().nullable(),
  budget_duration: z.string().nullable(),
  budget_reset_at: z.string().nullable(),
  tpm_limit: z.number().nullable(),
  rpm_limit: z.number().nullable(),
  max_parallel_requests: z.number().nullable(),
  /** Dollars spent from the budget, or spent this month if there is no budget. */
  spend: z.number(),
};

const litellmKey = z.object({
  token: z.string(),
  token_id: z.string(),
  key_name: z.string(),
  key_alias: z.string(),
  user_id: z.string().nullable(),
  team_id: z.string().nullable(),
  models: z.array(z.string()),
  metadata: z.record(z.string(), z.string()),
  ...shownLimits,
  blocked: z.boolean(),
  expires: z.string().nullable(),
  created_at: z.string(),
  created_by: z.string().nullable(),
  last_active: z.string().nullable(),
});

export type LitellmKey = z.infer<typeof litellmKey>;

/** `key` is the secret, returned only in this response. */
const generatedKey = litellmKey.extend({ key: z.string() });

const litellmRoles = ['proxy_admin', 'internal_user'] as const;

const plainName = z.string().trim().min(1).max(200).refine(isPlainLine, notPlainLine('User alias'));

/** Also creates a key unless `auto_create_key` is false. `models` is not accepted, since grants decide which models a user has. */
const newUserBody = z.strictObject({
  user_email: email,
  user_alias: plainName.nullish(),
  user_role: z.enum(litellmRoles).nullish(),
  teams: z.array(reference).max(20).nullish(),
  auto_create_key: z.boolean().nullish(),
  key_alias: keyNameAs('Key alias').nullish(),
  duration: duration.nullish(),
  metadata,
  ...limits,
  ...withoutEquivalent(
    ...fieldsOfNoUse,
    'models',
    'organizations',
    'send_invite_email',
    'sso_user_id',
    'user_id',
  ),
});

const litellmUser = z.object({
  user_id: z.string(),
  user_email: z.string(),
  user_alias: z.string(),
  user_role: z.enum(litellmRoles),
  teams: z.array(z.string()),
  ...shownLimits,
  created_at: z.string(),
});

export type LitellmUser = z.infer<typeof litellmUser>;

const newUser = litellmUser.extend({
  /** Returned only in this response. `null` if no key was created. */
  key: z.string().nullable(),
  key_alias: z.string().nullable(),
  token_id: z.string().nullable(),
  expires: z.string().nullable(),
});

const memberRoles = ['user', 'admin'] as const;

const newMember = z
  .strictObject({ role: z.enum(memberRoles), user_id: reference.nullish(), user_email: email.nullish() })
  .refine(({ user_id, user_email }) => (user_id ?? user_email ?? null) !== null, {
    path: ['user_id'],
    error: 'Enter user_id or user_email',
  });

/** The models are granted at each provider where they are enabled. A team without models has no access yet. */
const newTeamBody = z.strictObject({
  team_alias: z.string().trim().min(2).max(100).refine(isPlainLine, notPlainLine('Team alias')),
  models,
  members_with_roles: z.array(newMember).max(100).nullish(),
  metadata,
  ...limits,
  ...withoutEquivalent(
    ...fieldsOfNoUse,
    'admins',
    'blocked',
    'members',
    'model_aliases',
    'team_id',
    'team_member_budget',
    'team_member_permissions',
  ),
});

const litellmTeam = z.object({
  team_id: z.string(),
  team_alias: z.string(),
  models: z.array(z.string()),
  members_with_roles: z.array(
    z.object({ role: z.enum(memberRoles), user_id: z.string(), user_email: z.string().nullable() }),
  ),
  metadata: z.record(z.string(), z.string()),
  ...shownLimits,
  blocked: z.boolean(),
  created_at: z.string(),
});

export type LitellmTeam = z.infer<typeof litellmTeam>;

const modelInfos = z.object({
  data: z.array(
    z.object({
      model_name: z.string(),
      litellm_params: z.object({ model: z.string() }),
      /** Dollars per token. `null` if unknown. */
      model_info: z.object({
        id: z.string(),
        litellm_provider: z.string(),
        max_input_tokens: z.number().nullable(),
        max_output_tokens: z.number().nullable(),
        input_cost_per_token: z.number().nullable(),
        output_cost_per_token: z.number().nullable(),
      }),
    }),
  ),
});

export type LitellmModels = z.infer<typeof modelInfos>;

const groupings = ['team', 'api_key'] as const;

/** Days are in the tenant's calendar, both inclusive. */
const spendReportQuery = z
  .strictObject({
    start_date: z.iso.date('start_date must be a day such as 2026-01-31'),
    end_date: z.iso.date('end_date must be a day such as 2026-01-31'),
    group_by: z.enum(groupings).default('team'),
    api_key: keyReference.optional(),
    internal_user_id: reference.optional(),
    team_id: reference.optional(),
  })
  .refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ['end_date'],
    error: 'end_date must not be before start_date',
  });

const teamDay = z.object({
  group_by_day: z.string(),
  teams: z.array(
    z.object({
      team_name: z.string(),
      team_id: z.string().nullable(),
      total_spend: z.number(),
      metadata: z.array(
        z.object({
          model: z.string(),
          api_key: z.string().nullable(),
          spend: z.number(),
          total_tokens: z.number(),
        }),
      ),
    }),
  ),
});

const keySpend = z.object({
  api_key: z.string().nullable(),
  total_cost: z.number(),
  total_input_tokens: z.number(),
  total_output_tokens: z.number(),
  model_details: z.array(
    z.object({
      model: z.string(),
      total_cost: z.number(),
      total_input_tokens: z.number(),
      total_output_tokens: z.number(),
    }),
  ),
});

const spendReport = z.union([z.array(teamDay), z.array(keySpend)]);

export type LitellmSpendReport = z.infer<typeof spendReport>;

const call = { surface: 'management', base: '', format: 'litellm' } as const;
const writeKeys = { ...call, method: 'POST', permission: 'api_keys.write' } as const;

/** For scripts that manage a LiteLLM proxy. Served below `/` and `/v1`. */
export const litellmRoutes = defineRoutes({
  generateLitellmKey: {
    ...writeKeys,
    path: '/key/generate',
    summary: 'Create an API key (LiteLLM format)',
    request: { body: generateKeyBody },
    response: generatedKey,
    idempotent: true,
  },
  getLitellmKey: {
    ...call,
    method: 'GET',
    path: '/key/info',
    permission: 'users.read',
    summary: 'Get an API key (LiteLLM format)',
    request: { query: z.strictObject({ key: keyReference }) },
    response: z.object({ key: z.string(), info: litellmKey }),
  },
  updateLitellmKey: {
    ...writeKeys,
    path: '/key/update',
    summary: 'Change an API key (LiteLLM format)',
    request: { body: updateKeyBody },
    response: litellmKey.extend({ key: z.string() }),
  },
  deleteLitellmKeys: {
    ...writeKeys,
    path: '/key/delete',
    summary: 'Revoke API keys (LiteLLM format)',
    request: { body: deleteKeysBody },
    response: z.object({ deleted_keys: z.array(z.string()) }),
  },
  blockLitellmKey: {
    ...writeKeys,
    path: '/key/block',
    summary: 'Revoke an API key (LiteLLM format)',
    request: { body: z.strictObject({ key: keyReference }) },
    response: litellmKey,
  },
  createLitellmUser: {
    ...call,
    method: 'POST',
    path: '/user/new',
    permission: 'users.write',
    summary: 'Create a user with an API key (LiteLLM format)',
    request: { body: newUserBody },
    response: newUser,
    idempotent: true,
  },
  getLitellmUser: {
    ...call,
    method: 'GET',
    path: '/user/info',
    permission: 'users.read',
    summary: 'Get a user with API keys and teams (LiteLLM format)',
    request: { query: z.strictObject({ user_id: reference.optional() }) },
    response: z.object({
      user_id: z.string(),
      user_info: litellmUser,
      keys: z.array(litellmKey),
      teams: z.array(z.object({ team_id: z.string(), team_alias: z.string() })),
    }),
  },
  createLitellmTeam: {
    ...call,
    method: 'POST',
    path: '/team/new',
    permission: 'teams.write',
    summary: "LiteLLM's call: create a team",
    request: { body: newTeamBody },
    response: litellmTeam,
    idempotent: true,
  },
  getLitellmTeam: {
    ...call,
    method: 'GET',
    path: '/team/info',
    permission: 'teams.manage',
    summary: 'Get a team with members and API keys (LiteLLM format)',
    request: { query: z.strictObject({ team_id: reference }) },
    response: z.object({ team_id: z.string(), team_info: litellmTeam, keys: z.array(litellmKey) }),
  },
  listLitellmModels: {
    ...call,
    method: 'GET',
    path: '/model/info',
    permission: 'providers.read',
    summary: 'List models with prices and limits (LiteLLM format)',
    response: modelInfos,
  },
  getLitellmSpendReport: {
    ...call,
    method: 'GET',
    path: '/global/spend/report',
    permission: 'analytics.read',
    summary: 'Get the cost by day and team, or by API key (LiteLLM format)',
    request: { query: spendReportQuery },
    response: spendReport,
  },
  getLitellmLiveness: {
    ...call,
    method: 'GET',
    path: '/health/liveliness',
    permission: 'anyone',
    summary: 'Check that the process serves requests (LiteLLM format)',
    response: z.string(),
  },
});
