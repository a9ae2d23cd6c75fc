import type { Appeal } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { AppealCard } from './card.tsx';
import styles from './list.module.css';
import { appealsQuery } from './queries.ts';

type AppealFilter = Appeal['status'] | 'all';

const filters: readonly { value: AppealFilter; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'granted', label: 'Granted' },
  { value: 'denied', label: 'Denied' },
  { value: 'all', label: 'All' },
];

interface AppealListProps {
  /** Default: appeals waiting for a decision. */
  status: AppealFilter | undefined;
  onStatus: (status: AppealFilter | undefined) => void;
}

/** Appeals of blocked users. */
export function AppealList({ status = 'open', onStatus }: AppealListProps) {
  const answer = useQuery(appealsQuery(status === 'all' ? undefined : status));
  const { data: appeals } = answer;
  const failure = describeFailure(answer, 'The appeals could not be loaded');
  return (
    <div className={styles.appeals}>
      <SegmentedSwitch
        label="Appeals by status"
        options={filters}
        value={status}
        onChange={(chosen) => onStatus(chosen === 'open' ? undefined : chosen)}
      />
      {failure && <Failure {...failure} />}
      {!appeals && !failure && (
        <div role="status">
          <span className="visually-hidden">Loading appeals...</span>
          <SkeletonLines />
        </div>
      )}
      {appeals?.length === 0 && (
        <EmptyState title={status === 'open' ? 'No open appeals' : 'No appeals with this status'}>
          Blocked users may appeal once, on their dashboard.
        </EmptyState>
      )}
      {appeals && appeals.length > 0 && (
        <div className={styles.list}>
          <PanelList label="Appeals" items={appeals} noun="appeals">
            {(appeal) => <AppealCard key={appeal.id} appeal={appeal} />}
          </PanelList>
        </div>
      )}
    </div>
  );
}
