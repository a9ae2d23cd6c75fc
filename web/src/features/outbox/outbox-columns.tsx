import type { Mail } from '@sluice/contract';
import type { Column } from '../../components/data-table/column.ts';
import { type StatusKind, StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import styles from './outbox-columns.module.css';

const marks: Readonly<Record<Mail['status'], { kind: StatusKind; text: string }>> = {
  queued: { kind: 'pending', text: 'Queued' },
  sent: { kind: 'ok', text: 'Sent' },
  failed: { kind: 'bad', text: 'Failed' },
  withdrawn: { kind: 'off', text: 'Withdrawn' },
  held: { kind: 'warn', text: 'To pass on' },
};

export const outboxColumns: readonly Column<Mail>[] = [
  {
    name: 'To',
    isPinned: true,
    isHideable: false,
    sortBy: ({ to_address }) => to_address,
    cell: ({ to_address, subject }) => (
      <>
        {to_address}
        <div className={styles.second}>{subject}</div>
      </>
    ),
  },
  {
    name: 'Status',
    width: '9rem',
    sortBy: ({ status }) => status,
    cell: ({ status, error }) => (
      <span title={error ?? undefined}>
        <StatusMark kind={marks[status].kind}>{marks[status].text}</StatusMark>
      </span>
    ),
  },
  {
    name: 'Written',
    width: '9rem',
    showFrom: 'medium',
    sortBy: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Time value={created_at} isTabStop={false} />,
  },
  {
    name: 'Sent',
    width: '9rem',
    showFrom: 'wide',
    sortBy: ({ sent_at }) => sent_at ?? '',
    cell: ({ sent_at }) => (sent_at === null ? 'Not yet' : <Time value={sent_at} isTabStop={false} />),
  },
];
