import { useQuery } from '@tanstack/react-query';
import { CountChips } from '../../components/ui/count-chips.tsx';
import { type InvitationStatus, invitationStatsQuery } from './queries.ts';

interface InvitationFilterProps {
  chosen: InvitationStatus | undefined;
  onChoose: (status: InvitationStatus | undefined) => void;
}

/** Filter by status with counts; counts are left out if they could not be loaded. */
export function InvitationFilter({ chosen, onChoose }: InvitationFilterProps) {
  const { data: stats } = useQuery(invitationStatsQuery);
  if (!stats) return null;
  const chips = [
    { label: 'Total', count: stats.total, value: undefined },
    { label: 'Pending', count: stats.pending, value: 'pending' },
    { label: 'Accepted', count: stats.accepted, value: 'accepted' },
    { label: 'Expired', count: stats.expired, value: 'expired' },
    { label: 'Cancelled', count: stats.cancelled, value: 'cancelled' },
  ] as const;
  return (
    <CountChips<InvitationStatus | undefined>
      label="Invitations by status"
      chips={chips}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}
