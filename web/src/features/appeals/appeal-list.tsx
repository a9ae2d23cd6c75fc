import type { Appeal } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { AppealCard } from './appeal-card.tsx';
import styles from './appeal-list.module.css';
import { appealsQuery } from './appeals-queries.ts';

type AppealFilter = Appeal['status'] | 'all';

const filters: readonly { value: AppealFilter; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'granted', label: 'Granted' },
  { value: 'denied', label: 'Denied' },
  { value: 'all', label: 'All' },
];

interface AppealListProps {
  /** Absent: those that wait for a decision. */
  status: AppealFilter | undefined;
  onStatus: (status: AppealFilter | undefined) => void;
}

/** What blocked people answer, to decide. */
export function AppealList({ status = 'open', onStatus }: AppealListProps) {
  const { data: appeals, error, refetch } = useQuery(appealsQuery(status === 'all' ? undefined : status));
  return (
    <div className={styles.appeals}>
      <SegmentedSwitch
        label="Appeals by status"
        options={filters}
        value={status}
        onChange={(chosen) => onStatus(chosen === 'open' ? undefined : chosen)}
      />
      {error && (
        <Failure
          message={messageOf(error, 'The appeals could not be loaded')}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!appeals && !error && (
        <div role="status">
          <span className="visually-hidden">Loading appeals...</span>
          <SkeletonLines />
        </div>
      )}
      {appeals?.length === 0 && (
        <EmptyState title={status === 'open' ? 'No open appeals' : 'No appeals in this state'}>
          Whoever is blocked may appeal once, on their dashboard.
        </EmptyState>
      )}
      {appeals && appeals.length > 0 && (
        <ul className={styles.list} aria-label="Appeals">
          {appeals.map((appeal) => (
            <AppealCard key={appeal.id} appeal={appeal} />
          ))}
        </ul>
      )}
    </div>
  );
}
