import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { isAdministrator } from '../../lib/landing.ts';
import { teamsQuery } from './teams-queries.ts';

/** Whether somebody who has no console manages teams; nobody else is asked about. */
export function useManagesTeams(user: CurrentUser): boolean {
  const { data = false } = useQuery({
    ...teamsQuery,
    enabled: !isAdministrator(user) && user.role.permissions.includes('teams.manage'),
    select: (teams) => teams.length > 0,
  });
  return data;
}
