import { useQuery } from '@tanstack/react-query';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { appealsQuery } from '../../features/appeals/queries.ts';
import { invitationStatsQuery } from '../../features/invitations/queries.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';

// Contents of the other tabs of the users page.

export const InvitationList = lazyPart(
  () => import('../../features/invitations/list.tsx'),
  'InvitationList',
  <SkeletonLines count={6} />,
);

export const AppealList = lazyPart(
  () => import('../../features/appeals/list.tsx'),
  'AppealList',
  <SkeletonLines count={6} />,
);

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
