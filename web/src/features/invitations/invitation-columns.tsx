import type { Invitation } from '@sluice/contract';
import type { Column } from '../../components/data-table/column.ts';
import { RoleBadge } from '../../components/ui/role-badge.tsx';
import { type StatusKind, StatusMark } from '../../components/ui/status-mark.tsx';
import { formatLabel } from '../../lib/format-label.ts';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import styles from './invitation-columns.module.css';

const marks: Readonly<Record<Invitation['status'], StatusKind>> = {
  pending: 'pending',
  accepted: 'ok',
  expired: 'warn',
  cancelled: 'off',
};

export const invitationColumns: readonly Column<Invitation>[] = [
  {
    name: 'Email',
    isPinned: true,
    isHideable: false,
    sortBy: ({ email }) => email,
    cell: (invitation) => (
      <>
        {invitation.email}
        <div className={styles.narrowStatus}>
          <Status invitation={invitation} />
        </div>
      </>
    ),
  },
  {
    name: 'Role',
    width: '8rem',
    showFrom: 'medium',
    sortBy: ({ role }) => role,
    cell: ({ role }) => <RoleBadge name={role} />,
  },
  {
    name: 'Status',
    width: '8rem',
    showFrom: 'medium',
    sortBy: ({ status }) => status,
    cell: (invitation) => <Status invitation={invitation} />,
  },
  {
    name: 'Invited by',
    width: '18%',
    showFrom: 'wide',
    sortBy: ({ invited_by_name }) => invited_by_name ?? '',
    cell: ({ invited_by_name }) => <span className={styles.quiet}>{invited_by_name ?? 'Unknown'}</span>,
  },
  {
    name: 'Sent',
    width: '8rem',
    showFrom: 'wide',
    sortBy: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Day instant={created_at} />,
  },
  {
    name: 'Expires',
    width: '8rem',
    showFrom: 'medium',
    sortBy: ({ expires_at }) => expires_at,
    cell: ({ expires_at }) => <Day instant={expires_at} />,
  },
];

function Status({ invitation: { status } }: { invitation: Invitation }) {
  return <StatusMark kind={marks[status]}>{formatLabel(status)}</StatusMark>;
}

function Day({ instant }: { instant: string }) {
  return (
    <span className={`num ${styles.quiet}`} title={formatFullTime(instant)}>
      {formatDay(instant)}
    </span>
  );
}
