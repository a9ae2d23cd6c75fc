import { z } from 'zod';
import { flag, isPlainLine, notPlainLine } from '../fields.ts';
import { id, idOr, idParams, instant } from '../ids.ts';
import { spend, usd } from '../money.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

/** A `member` may use the models granted to the team. An `admin` also manages the team and its members. */
export const teamRoles = ['member', 'admin'] as const;

export const teamDescriptionMax = 500;

const name = z
  .string('Team name is required')
  .trim()
  .min(1, 'Team name is required')
  .min(2, 'Team name must be at least 2 characters')
  .max(100, 'Team name must be less than 100 characters')
  .refine(isPlainLine, notPlainLine('Team name'));

const description = z
  .string()
  .trim()
  .max(teamDescriptionMax, 'Description must be less than 500 characters')
  .nullable();

export const createTeamBody = z.strictObject({ name, description: description.optional() });

export const updateTeamBody = z.strictObject({ name, description, is_active: z.boolean() }).partial();

export const addTeamMemberBody = z.strictObject({
  user_id: idOr('Please select at least one user to add.'),
  role: z.enum(teamRoles).default('member'),
});

export const updateTeamMemberBody = z
  .strictObject({ role: z.enum(teamRoles), is_active: z.boolean() })
  .partial();

export const teamMember = z.object({
  user_id: z.number().int(),
  /** `null` if unknown. The UI then shows 'Unknown User'. */
  user_name: z.string().nullable(),
  user_email: z.string().nullable(),
  role: z.enum(teamRoles),
  is_active: z.boolean(),
  joined_at: instant,
  /** `null` means unlimited. */
  daily_quota: z.number().nullable(),
  monthly_quota: z.number().nullable(),
  /** Covers requests under the team's grants. */
  ...spend,
});

export type TeamMember = z.infer<typeof teamMember>;

/** `members` is omitted in responses to changes of a team. Counts include active members only. */
export const team = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  is_active: z.boolean(),
  created_at: instant,
  member_count: z.number().int(),
  admin_count: z.number().int(),
  model_count: z.number().int(),
  /** Sum over the active members. `null` if one of them is unlimited. */
  members_monthly_quota: z.number().nullable(),
  /** Member with the highest cost this month under the team's grants. */
  top_user: z.object({ user_id: z.number().int(), user_name: z.string(), spend_usd_month: usd }).nullable(),
  /** Covers requests under the team's grants. */
  ...spend,
  members: z.array(teamMember).optional(),
});

export type Team = z.infer<typeof team>;

export const pickedUser = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  is_blocked: z.boolean(),
});

export type PickedUser = z.infer<typeof pickedUser>;

/** Covers the last 30 days. */
export const teamUsage = z.object({
  days: z.array(z.object({ date: z.iso.date(), requests: z.number(), tokens: z.number(), cost_usd: usd })),
  /** Models granted or used, highest cost first. */
  models: z.array(
    z.object({
      model: z.string(),
      is_granted: z.boolean(),
      requests: z.number(),
      tokens: z.number(),
      cost_usd: usd,
    }),
  ),
  /** At most five users, highest cost first. */
  top_users: z.array(
    z.object({
      user_id: z.number().int(),
      user_name: z.string(),
      requests: z.number(),
      tokens: z.number(),
      cost_usd: usd,
    }),
  ),
});

export type TeamUsage = z.infer<typeof teamUsage>;

const memberParams = z.object({ id, userId: id });
const manage = { surface: 'management', permission: 'teams.manage' } as const;
const write = { surface: 'management', permission: 'teams.write' } as const;

export const teamsRoutes = defineRoutes({
  listTeams: {
    ...manage,
    method: 'GET',
    path: '/admin/teams',
    summary: 'List the teams that the caller manages with their members; administrators get all teams',
    request: {
      query: z.strictObject({
        ...pageQuery(100),
        is_active: flag.optional(),
        search: z.string().trim().max(200).optional(),
      }),
    },
    response: z.object({ teams: z.array(team), total: z.number().int() }),
  },
  createTeam: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/teams',
    summary: 'Create a team',
    request: { body: createTeamBody },
    response: team,
    status: 201,
  },
  getTeam: {
    ...manage,
    method: 'GET',
    path: '/admin/teams/{id}',
    summary: 'Get a team with its members',
    request: { params: idParams },
    response: team,
  },
  getTeamUsage: {
    ...manage,
    method: 'GET',
    path: '/admin/teams/{id}/usage',
    summary: "Get a team's cost per day, models and top users of the last 30 days",
    request: { params: idParams },
    response: teamUsage,
  },
  updateTeam: {
    ...manage,
    method: 'PUT',
    path: '/admin/teams/{id}',
    summary: 'Change some fields of a team; only administrators can activate or deactivate it',
    request: { params: idParams, body: updateTeamBody },
    response: team,
  },
  deleteTeam: {
    ...write,
    method: 'DELETE',
    path: '/admin/teams/{id}',
    summary: 'Delete a team with its grants',
    request: { params: idParams },
    response: z.void(),
    status: 204,
  },
  listTeamMembers: {
    ...manage,
    method: 'GET',
    path: '/admin/teams/{id}/members',
    summary: 'List the members of a team',
    request: { params: idParams },
    response: z.array(teamMember),
  },
  addTeamMember: {
    idempotent: true,
    ...manage,
    method: 'POST',
    path: '/admin/teams/{id}/members',
    summary: 'Add a user to a team; an inactive member becomes active again',
    request: { params: idParams, body: addTeamMemberBody },
    response: teamMember,
    status: 201,
  },
  updateTeamMember: {
    ...manage,
    method: 'PUT',
    path: '/admin/teams/{id}/members/{userId}',
    summary: "Change a member's role, or activate or deactivate the member",
    request: { params: memberParams, body: updateTeamMemberBody },
    response: teamMember,
  },
  removeTeamMember: {
    ...manage,
    method: 'DELETE',
    path: '/admin/teams/{id}/members/{userId}',
    summary: 'Remove a user from a team',
    request: { params: memberParams },
    response: z.void(),
    status: 204,
  },
  listUsersAvailableForTeam: {
    ...manage,
    method: 'GET',
    path: '/admin/teams/{id}/available-users',
    summary: 'List the users who are not active members of the team',
    request: { params: idParams },
    response: z.array(pickedUser),
  },
});
