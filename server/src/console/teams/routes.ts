import type { teamsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  removeTeamMember,
  updateTeam,
  updateTeamMember,
} from './change.ts';
import { getTeam, listTeamMembers, listTeams, listUsersAvailableForTeam } from './read.ts';

export function createTeamsHandlers(): Handlers<typeof teamsRoutes> {
  const placeOf = ({ id, userId }: { id: number; userId: number }) => ({ teamId: id, userId });
  return {
    listTeams: read(listTeams, ({ query }) => query),
    createTeam: write(createTeam, ({ body }) => body),
    getTeam: read(getTeam, ({ params }) => params.id),
    updateTeam: write(updateTeam, ({ params, body }) => ({ teamId: params.id, body })),
    deleteTeam: write(deleteTeam, ({ params }) => params.id),
    listTeamMembers: read(listTeamMembers, ({ params }) => params.id),
    addTeamMember: write(addTeamMember, ({ params, body }) => ({ teamId: params.id, body })),
    updateTeamMember: write(updateTeamMember, ({ params, body }) => ({ place: placeOf(params), body })),
    removeTeamMember: write(removeTeamMember, ({ params }) => placeOf(params)),
    listUsersAvailableForTeam: read(listUsersAvailableForTeam, ({ params }) => params.id),
  };
}
