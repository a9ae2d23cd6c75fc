import type { Team, TeamMember } from '@sluice/contract';
import { type ActiveStatus, statusOf } from '../../lib/active-status.ts';

/** The teams of a status whose name or description contains the text, whatever its case. */
export function findTeams(
  teams: readonly Team[],
  { text, status }: { text: string; status?: ActiveStatus | undefined },
): readonly Team[] {
  const wanted = text.trim().toLowerCase();
  return teams.filter(
    (team) =>
      (status === undefined || statusOf(team) === status) &&
      (team.name.toLowerCase().includes(wanted) || (team.description ?? '').toLowerCase().includes(wanted)),
  );
}

export const nameOf = ({ user_name }: Pick<TeamMember, 'user_name'>) => user_name || 'Unknown User';

/** The members whose name or e-mail address contains the text, whatever its case. */
export function findMembers(members: readonly TeamMember[], text: string): readonly TeamMember[] {
  const wanted = text.trim().toLowerCase();
  return members.filter((member) =>
    `${nameOf(member)}\n${member.user_email ?? ''}`.toLowerCase().includes(wanted),
  );
}
