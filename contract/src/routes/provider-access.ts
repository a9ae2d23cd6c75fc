import { z } from 'zod';
import { id, idOr, instant } from '../ids.ts';
import { pageQuery } from '../pagination.ts';
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

const bulkMax = 500;

/** Each as in a single grant; judged one by one, so that a bad one is an outcome and refuses nothing else. */
export const grantManyBody = z.strictObject({
  accesses: z.array(z.looseObject({})).min(1).max(bulkMax),
});

const grantedInstance = {
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

/** What became of each of a list of grants, in its order; `error` `null`: granted. */
const bulkOutcomes = z.array(z.object({ index: z.number().int(), error: z.string().nullable() }));

export const userProviders = z.object({
  total_providers: z.number().int(),
  total_models: z.number().int(),
  /** An administrator needs no grant and has all models directly. */
  is_granted_by_role: z.boolean(),
  providers: z.array(
    z.object({
      provider_instance_name: z.string(),
      provider_key: z.string(),
      llm_provider_id: z.number().int(),
      allowed_models: z.array(z.string()),
      access_source: z.enum(['direct', 'team']),
      /** The team that grants it, `null` for a direct grant. */
      team_name: z.string().nullable(),
    }),
  ),
});

export type UserProviders = z.infer<typeof userProviders>;

/** An instance that can be granted. */
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

/** The rules that a request meets, in the order in which the gate asks them. */
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

/** `outcome` `refuses` stands at most once, and nothing behind it was asked. */
export const accessExplanation = z.object({
  user_id: z.number().int(),
  model: z.string(),
  /** The active ones of the user, which a request may name. */
  tasks: z.array(z.object({ id: z.number().int(), title: z.string() })),
  is_allowed: z.boolean(),
  rules: z.array(
    z.object({
      name: z.enum(accessRuleNames),
      outcome: z.enum(['passes', 'refuses', 'not_asked']),
      /** Which object decided and why, for a person to read. */
      detail: z.string(),
    }),
  ),
  /** The error code that the gate would answer; `null` when it would let the request through. */
  error_code: z.string().nullable(),
});

export type AccessExplanation = z.infer<typeof accessExplanation>;

const read = { surface: 'management', permission: 'provider_access.read' } as const;
const write = { surface: 'management', permission: 'provider_access.write' } as const;
const userGrantParams = z.object({ userId: id, providerId: id });
const teamGrantParams = z.object({ teamId: id, providerId: id });

/** An administrator's role, a grant of their own, or a team's. */
export const accessSources = ['role', 'direct', 'team'] as const;

/** Limits and tasks are not looked at: those who are permitted may have used up what they have. */
export const permittedUsers = z.object({
  model: z.string(),
  total: z.number().int(),
  /** Why nobody may, such as a blacklist entry; `null` when somebody may. */
  refusal: z.string().nullable(),
  users: z.array(
    z.object({
      user_id: z.number().int(),
      user_name: z.string(),
      user_email: z.string(),
      access_source: z.enum(accessSources),
      team_name: z.string().nullable(),
      /** Which instance answers them. */
      provider_instance_name: z.string(),
    }),
  ),
});

export type PermittedUsers = z.infer<typeof permittedUsers>;

/** What a person may ask for by name; limits, blocks of the person and tasks are not looked at. */
export const permittedModels = z.object({
  user_id: z.number().int(),
  models: z.array(
    z.object({
      /** As a request names it: a model or an alias. */
      model: z.string(),
      provider_key: z.string(),
      /** Which instance answers. */
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
    summary: 'Direct grants, newest first',
    request: {
      query: z.strictObject({ user_id: id.optional(), provider_id: id.optional(), ...pageQuery(100) }),
    },
    response: z.array(userAccess),
  },
  grantUserAccess: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/provider-access/users',
    summary: 'Let a user use some models of a provider instance',
    request: { body: grantUserAccessBody },
    response: userAccess,
    status: 201,
  },
  grantUserAccesses: {
    ...write,
    method: 'POST',
    path: '/admin/provider-access/users/bulk',
    summary: 'Grant many at once; what cannot be granted is told and stops nothing else',
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
    summary: 'What a user may use, and through which grant',
    request: { params: z.object({ userId: id }) },
    response: userProviders,
  },
  listTeamAccess: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/teams',
    summary: 'Grants of teams, newest first',
    request: {
      query: z.strictObject({ team_id: id.optional(), provider_id: id.optional(), ...pageQuery(100) }),
    },
    response: z.array(teamAccess),
  },
  grantTeamAccess: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/provider-access/teams',
    summary: 'Let the members of a team use some models of a provider instance',
    request: { body: grantTeamAccessBody },
    response: teamAccess,
    status: 201,
  },
  grantTeamAccesses: {
    ...write,
    method: 'POST',
    path: '/admin/provider-access/teams/bulk',
    summary: 'Grant to many teams at once; what cannot be granted is told and stops nothing else',
    request: { body: grantManyBody },
    response: bulkOutcomes,
  },
  updateTeamAccess: {
    ...write,
    method: 'PUT',
    path: '/admin/provider-access/teams/{teamId}/providers/{providerId}',
    summary: "Change the models of a team's grant",
    request: { params: teamGrantParams, body: updateAccessBody },
    response: teamAccess,
  },
  removeTeamAccess: {
    ...write,
    method: 'DELETE',
    path: '/admin/provider-access/teams/{teamId}/providers/{providerId}',
    summary: "Remove a team's grant",
    request: { params: teamGrantParams },
    response: z.undefined(),
    status: 204,
  },
  listGrantableProviders: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/available-providers',
    summary: 'The provider instances that can be granted',
    response: z.array(grantableProvider),
  },
  listGrantableUsers: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/available-users',
    summary: 'The people who can be granted something',
    response: z.array(pickedUser),
  },
  listGrantableTeams: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/available-teams',
    summary: 'The active teams',
    response: z.array(z.object({ id: z.number().int(), name: z.string(), member_count: z.number().int() })),
  },
  getAccessSummary: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/summary',
    summary: 'How many grants there are, by provider instance',
    response: accessSummary,
  },
  listPermittedUsers: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/permitted-users',
    summary: "Who may use a model, by the gate's own rules: the first 500, by name",
    request: { query: z.strictObject({ model: z.string().trim().min(1).max(200) }) },
    response: permittedUsers,
  },
  listPermittedModels: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/users/{userId}/permitted-models',
    summary: "Which models a user may use, by the gate's own rules, by name",
    request: { params: z.object({ userId: id }) },
    response: permittedModels,
  },
  explainAccess: {
    ...read,
    method: 'GET',
    path: '/admin/provider-access/explain',
    summary: 'Whether the gate would let a user ask a model now, rule by rule; spends nothing',
    request: {
      query: z.strictObject({
        user_id: idOr('Please select a user'),
        model: z.string().trim().min(1).max(200),
        /** As a request would name it; without it the gate chooses. */
        task_id: id.optional(),
      }),
    },
    response: accessExplanation,
  },
});
