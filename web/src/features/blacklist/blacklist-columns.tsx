import type { BlacklistEntry } from '@sluice/contract';
import type { Column } from '../../components/data-table/column.ts';
import { ProviderName, providerNameOf } from '../../components/ui/provider-name.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import styles from './blacklist-columns.module.css';
import { blockerOf, isComplete } from './blacklist-list.ts';

export const blacklistColumns: readonly Column<BlacklistEntry>[] = [
  {
    name: 'Provider',
    isPinned: true,
    isHideable: false,
    sortBy: ({ provider_key }) => providerNameOf(provider_key),
    cell: (entry) => (
      <>
        <ProviderName providerKey={entry.provider_key} />
        <div className={styles.narrow}>
          <Pattern entry={entry} />
          <span>{entry.reason}</span>
        </div>
      </>
    ),
  },
  {
    name: 'Model Pattern',
    width: '20%',
    showFrom: 'medium',
    sortBy: ({ model_pattern }) => model_pattern,
    cell: (entry) => <Pattern entry={entry} />,
  },
  {
    name: 'Block Type',
    width: '8rem',
    showFrom: 'medium',
    sortBy: blockTypeOf,
    cell: (entry) => <StatusMark kind={isComplete(entry) ? 'bad' : 'warn'}>{blockTypeOf(entry)}</StatusMark>,
  },
  {
    name: 'Reason',
    width: '25%',
    showFrom: 'medium',
    sortBy: ({ reason }) => reason,
    csv: ({ reason, description }) => (description ? `${reason}: ${description}` : reason),
    cell: ({ reason, description }) => (
      <>
        <div className={styles.clipped} title={reason}>
          {reason}
        </div>
        {description && (
          <div className={`${styles.clipped} ${styles.second}`} title={description}>
            {description}
          </div>
        )}
      </>
    ),
  },
  {
    name: 'Blocked By',
    width: '10rem',
    showFrom: 'wide',
    sortBy: blockerOf,
    cell: (entry) => <span className={styles.clipped}>{blockerOf(entry)}</span>,
  },
  {
    name: 'Date',
    width: '7.5rem',
    showFrom: 'wide',
    sortBy: ({ created_at }) => created_at,
    cell: ({ created_at }) => (
      <span className={`num ${styles.quiet}`} title={formatFullTime(created_at)}>
        {formatDay(created_at)}
      </span>
    ),
  },
];

function blockTypeOf(entry: BlacklistEntry): string {
  return isComplete(entry) ? 'Complete' : 'Partial';
}

function Pattern({ entry }: { entry: BlacklistEntry }) {
  if (isComplete(entry)) return <span className={styles.quiet}>All models</span>;
  return (
    <code className={styles.clipped} title={entry.model_pattern ?? undefined}>
      {entry.model_pattern}
    </code>
  );
}
