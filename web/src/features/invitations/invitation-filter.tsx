import { useQuery } from '@tanstack/react-query';
import { CountChips } from '../../components/ui/count-chips.tsx';
import styles from './invitation-filter.module.css';
import { type InvitationStatus, invitationStatsQuery } from './invitations-queries.ts';

interface InvitationFilterProps {
  chosen: InvitationStatus | undefined;
  onChoose: (status: InvitationStatus | undefined) => void;
}

/** How many invitations there are in each state. */
export function InvitationFilter({ chosen, onChoose }: InvitationFilterProps) {
  const { data: stats } = useQuery(invitationStatsQuery);
  const chips = [
    { label: 'Total', count: stats?.total ?? 0, value: undefined },
    { label: 'Pending', count: stats?.pending ?? 0, value: 'pending' },
    { label: 'Accepted', count: stats?.accepted ?? 0, value: 'accepted' },
    { label: 'Expired', count: stats?.expired ?? 0, value: 'expired' },
    { label: 'Cancelled', count: stats?.cancelled ?? 0, value: 'cancelled' },
  ] as const;
  return (
    <div className={styles.filter}>
      {stats && (
        <CountChips<InvitationStatus | undefined>
          label="Invitations by status"
          chips={chips}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </div>
  );
}
