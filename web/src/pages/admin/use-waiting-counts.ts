import { useQuery } from '@tanstack/react-query';
import { appealsQuery } from '#features/appeals/queries.ts';
import { invitationStatsQuery } from '#features/invitations/queries.ts';

const refetchInterval = 30_000;

/** Number of pending invitations and open appeals. */
export function useWaitingCounts() {
  const { data: invitations } = useQuery({
    queryKey: ['invitations', 'waiting'],
    queryFn: async ({ client }) =>
      (await client.fetchQuery({ ...invitationStatsQuery, staleTime: 0 })).pending,
    refetchInterval,
  });
  const { data: appeals } = useQuery({
    queryKey: ['appeals', 'waiting'],
    queryFn: async ({ client }) =>
      (await client.fetchQuery({ ...appealsQuery('open'), staleTime: 0 })).length,
    refetchInterval,
  });
  return { invitations, appeals };
}
