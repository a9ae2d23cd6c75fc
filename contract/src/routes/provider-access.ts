import { z } from 'zod';
import { bulkOutcomes, bulkRowsMax } from '../bulk.ts';
import { id, idOr, instant } from '../ids.ts';
import { pageBefore, pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { pickedUser } from './teams.ts';

const modelsMax = 1000;

const allowedModels = z
  .array(z.string().trim().min(1).max(200), 'Please select at least one model')
  .min(1, 'Please select at least one model')
  .max(modelsMax);

const llmProviderId = idOr('Please select a provider');

export const grantUserAccessBody = z.strictObject({
  user_id: idOr('Please select a user'),
  llm_provider_id: llmProviderId,
  allowed_models: allowedModels,
});

export const grantTeamAccessBody = z.strictObject({
  team_id: idOr('Please select a team'),
  llm_provider_id: llmProviderId,
  allowed_models: allowedModels,
});

export const updateAccessBody = z.strictObject({ allowed_models: allowedModels });

/** Grants are validated one by one. An invalid grant is reported in the results and does not affect the others. */
export const grantManyBody = z.strictObject({
  accesses: z.array(z.looseObject({})).min(1).max(bulkRowsMax),
});

const grantedInstance = {
  id: z.number().int(),
  provider_key: z.string(),
  provider_instance_name: z.string(),
  llm_provider_id: z.number().int(),
  provider_registry_id: z.number().int(),
  allowed_models: z.array(z.string()),
  created_at: instant,
};

export const userAccess = z.object({
  user_id: z.number().int(),
  user_name: z.string(),
  ...grantedInstance,
});

export type UserAccess = z.infer<typeof userAccess>;

export const teamAccess = z.object({
  team_id: z.number().int(),
  team_name: z.string(),
  ...grantedInstance,
});

export type TeamAccess = z.infer<typeof teamAccess>;

/** Includes direct and team grants. */
export const userProviders = z.object({
  total_providers: z.number().int(),
  total_models: z.number().int(),
  /** Administrators need no grant and may use all models. */
  is_granted_by_role: z.boolean(),
  providers: z.array(
    z.object({
      provider_instance_name: z.string(),
      provider_key: z.string(),
      llm_provider_id: z.number().int(),
      allowed_models: z.array(z.string()),
      access_source: z.enum(['direct', 'team']),
      /** `null` for a direct grant. */
      team_name: z.string().nullable(),
    }),
  ),
});

export type UserProviders = z.infer<typeof userProviders>;

export const grantableProvider = z.object({
  id: z.number().int(),
  provider_registry_id: z.number().int(),
  provider_key: z.string(),
  provider_name: z.string(),
  provider_instance_name: z.string(),
  enabled_models: z.array(z.string()),
  default_model: z.string().nullable(),
  is_active: z.boolean(),
});

export type GrantableProvider = z.infer<typeof grantableProvider>;

export const accessSummary = z.object({
  total_user_accesses: z.number().int(),
  total_team_accesses: z.number().int(),
  total_unique_users_with_access: z.number().int(),
  total_unique_teams_with_access: z.number().int(),
  provider_usage_stats: z.array(
    z.object({
      provider_key: z.string(),
      provider_instance_name: z.string(),
      user_access_count: z.number().int(),
      team_access_count: z.number().int(),
      total_access_count: z.number().int(),
    }),
  ),
});

export type AccessSummary = z.infer<typeof accessSummary>;

/** Listed in the order in which the gateway checks them. */
export const accessRuleNames = [
  'user',
  'task',
  'tenant',
  'model',
  'blacklist',
  'grant',
  'provider',
  'limits',
] as const;

/** At most one `outcome` is `refuses`; later rules were not checked. */
export const accessExplanation = z.object({
  user_id: z.number().int(),
  model: z.string(),
  /** Active tasks that a request may name. */
  tasks: z.array(z.object({ id: z.number().int(), title: z.string() })),
  is_allowed: z.boolean(),
  rules: z.array(
    z.object({
      name: z.enum(accessRuleNames),
      outcome: z.enum(['passes', 'refuses', 'not_asked']),
      /** Names the object that decides the rule, and the reason. */
      detail: z.string(),
    }),
  ),
  /** `null` if the gateway would accept the request. */
  error_code: z.string().nullable(),
});

export type AccessExplanation = z.infer<typeof accessExplanation>;

const read = { surface: 'management', permission: 'provider_access.read' } as const;
const write = { surface: 'management', permission: 'provider_access.write' } as const;
const userGrantParams = z.object({ userId: id, providerId: id });
const teamGrantParams = z.object({ teamId: id, providerId: id });

/** Access comes from an administrator's role, a direct grant, or a team's grant. */
export const accessSources = ['role', 'direct', 'team'] as const;

/** Limits and tasks are ignored, so a permitted user may have reached a limit. */
export const permittedUsers = z.object({
  model: z.string(),
  total: z.number().int(),
  /** Reason such as a blacklist entry. `null` if any user may use the model. */
  refusal: z.string().nullable(),
  users: z.array(
    z.object({
      user_id: z.number().int(),
      user_name: z.string(),
      user_email: z.string(),
      access_source: z.enum(accessSources),
      team_name: z.string().nullable(),
      provider_instance_name: z.string(),
    }),
  ),
});

export type PermittedUsers = z.infer<typeof permittedUsers>;

/** The user's limits, blocks and tasks are ignored. */
export const permittedModels = z.object({
  user_id: z.number().int(),
  models: z.array(
    z.object({
      model: z.string(),
      provider_key: z.string(),
      provider_instance_name: z.string(),
      access_source: z.enum(accessSources),
      team_name: z.string().nullable(),
    }),
  ),
});

export type PermittedModels = z.infer<typeof permittedModels>;

export const providerAccessRoutes = defineRoutes({
  listUserAccess: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/users',
    summary: 'List direct grants, newest first',
    request: {
      query: z.strictObject({
        user_id: id.optional(),
        provider_id: id.optional(),
        ...pageQuery(100),
        before: pageBefore,
      }),
    },
    response: z.array(userAccess),
  },
  grantUserAccess: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/provider-access/users',
    summary: 'Grant a user access to models of a provider instance',
    request: { body: grantUserAccessBody },
    response: userAccess,
    status: 201,
  },
  grantUserAccesses: {
    ...write,
    method: 'POST',
    path: '/admin/provider-access/users/bulk',
    summary: 'Grant access in bulk; entries that fail are reported and do not affect the others',
    request: { body: grantManyBody },
    response: bulkOutcomes,
  },
  updateUserAccess: {
    ...write,
    method: 'PUT',
    path: '/admin/provider-access/users/{userId}/providers/{providerId}',
    summary: 'Change the models of a direct grant',
    request: { params: userGrantParams, body: updateAccessBody },
    response: userAccess,
  },
  removeUserAccess: {
    ...write,
    method: 'DELETE',
    path: '/admin/provider-access/users/{userId}/providers/{providerId}',
    summary: 'Remove a direct grant',
    request: { params: userGrantParams },
    response: z.undefined(),
    status: 204,
  },
  listUserProviders: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/users/{userId}/available-providers',
    summary: 'List the models that a user may use, and the grant of each',
    request: { params: z.object({ userId: id }) },
    response: userProviders,
  },
  listTeamAccess: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/teams',
    summary: 'List team grants, newest first',
    request: {
      query: z.strictObject({
        team_id: id.optional(),
        provider_id: id.optional(),
        ...pageQuery(100),
        before: pageBefore,
      }),
    },
    response: z.array(teamAccess),
  },
  grantTeamAccess: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/provider-access/teams',
    summary: 'Grant the members of a team access to models of a provider instance',
    request: { body: grantTeamAccessBody },
    response: teamAccess,
    status: 201,
  },
  grantTeamAccesses: {
    ...write,
    method: 'POST',
    path: '/admin/provider-access/teams/bulk',
    summary: 'Grant access to teams in bulk; entries that fail are reported and do not affect the others',
    request: { body: grantManyBody },
    response: bulkOutcomes,
  },
  updateTeamAccess: {
    ...write,
    method: 'PUT',
    path: '/admin/provider-access/teams/{teamId}/providers/{providerId}',
    summary: 'Change the models of a team grant',
    request: { params: teamGrantParams, body: updateAccessBody },
    response: teamAccess,
  },
  removeTeamAccess: {
    ...write,
    method: 'DELETE',
    path: '/admin/provider-access/teams/{teamId}/providers/{providerId}',
    summary: 'Remove a team grant',
    request: { params: teamGrantParams },
    response: z.undefined(),
    status: 204,
  },
  listGrantableProviders: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/available-providers',
    summary: 'List the provider instances that can be granted',
    response: z.array(grantableProvider),
  },
  listGrantableUsers: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/available-users',
    summary: 'List the users who can be granted access',
    response: z.array(pickedUser),
  },
  listGrantableTeams: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/available-teams',
    summary: 'List the active teams',
    response: z.array(z.object({ id: z.number().int(), name: z.string(), member_count: z.number().int() })),
  },
  getAccessSummary: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/summary',
    summary: 'Get the number of grants by provider instance',
    response: accessSummary,
  },
  listPermittedUsers: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/permitted-users',
    summary: "List the users who may use a model according to the gateway's rules: the first 500, by name",
    request: { query: z.strictObject({ model: z.string().trim().min(1).max(200) }) },
    response: permittedUsers,
  },
  listPermittedModels: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/users/{userId}/permitted-models',
    summary: "List the models that a user may use according to the gateway's rules, by name",
    request: { params: z.object({ userId: id }) },
    response: permittedModels,
  },
  explainAccess: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/explain',
    summary:
      "Explain, rule by rule, whether the gateway would currently accept a user's request to a model; costs nothing",
    request: {
      query: z.strictObject({
        user_id: idOr('Please select a user'),
        model: z.string().trim().min(1).max(200),
        /** If omitted, the gateway chooses a task. */
        task_id: id.optional(),
      }),
    },
    response: accessExplanation,
  },
});
