import type { teamsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  removeTeamMember,
  updateTeam,
  updateTeamMember,
} from './change.ts';
import { getTeamUsage } from './get-usage.ts';
import { getTeam, listTeamMembers, listTeams, listUsersAvailableForTeam } from './read.ts';

export function createTeamsHandlers(): Handlers<typeof teamsRoutes> {
  const placeOf = ({ id, userId }: { id: number; userId: number }) => ({ teamId: id, userId });
  return {
    listTeams: (ctx, { query }) => listTeams(ctx, query),
    createTeam: (ctx, { body }) => createTeam(ctx, body),
    getTeam: (ctx, { params }) => getTeam(ctx, params.id),
    getTeamUsage: (ctx, { params }) => getTeamUsage(ctx, params.id),
    updateTeam: (ctx, { params, body }) => updateTeam(ctx, params.id, body),
    deleteTeam: (ctx, { params }) => deleteTeam(ctx, params.id),
    listTeamMembers: (ctx, { params }) => listTeamMembers(ctx, params.id),
    addTeamMember: (ctx, { params, body }) => addTeamMember(ctx, params.id, body),
    updateTeamMember: (ctx, { params, body }) => updateTeamMember(ctx, placeOf(params), body),
    removeTeamMember: (ctx, { params }) => removeTeamMember(ctx, placeOf(params)),
    listUsersAvailableForTeam: (ctx, { params }) => listUsersAvailableForTeam(ctx, params.id),
  };
}
