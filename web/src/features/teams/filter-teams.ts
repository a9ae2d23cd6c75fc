import type { Team, TeamMember } from '@sluice/contract';
import { type ActiveStatus, statusOf } from '#components/data-table/active-status.tsx';
import { findByText } from '#components/data-table/column.ts';

export function filterTeams(
  teams: readonly Team[],
  { text, status }: { text: string; status?: ActiveStatus | undefined },
): readonly Team[] {
  const listed = teams.filter((team) => status === undefined || statusOf(team) === status);
  return findByText(listed, text, ({ name, description }) => [name, description]);
}

export const nameOf = ({ user_name }: Pick<TeamMember, 'user_name'>) => user_name || 'Unknown User';

export function filterMembers(members: readonly TeamMember[], text: string): readonly TeamMember[] {
  return findByText(members, text, (member) => [nameOf(member), member.user_email]);
}
