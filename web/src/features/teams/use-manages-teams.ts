import type { CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { isAdministrator } from '../../lib/home-path.ts';

/** Whether a user without console access manages teams. For others nothing is loaded. */
export function useManagesTeams(user: CurrentUser): boolean {
  const { data = false } = useQuery({
    queryKey: ['teams', 'is-any'],
    queryFn: async ({ client }) => {
      const { teamsQuery } = await import('./queries.ts');
      return (await client.fetchQuery(teamsQuery)).length > 0;
    },
    enabled: !isAdministrator(user) && user.role.permissions.includes('teams.manage'),
  });
  return data;
}
