import type { User } from '@sluice/contract';
import type { Column } from '../../components/data-table/column.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatLimit } from '../../lib/format-number.ts';
import { formatDay, formatFullTime } from '../../lib/format-time.ts';
import { UsageMeter } from './usage-meter.tsx';
import styles from './users-table.module.css';

interface UsersTableProps {
  users: readonly User[] | undefined;
  isSearching: boolean;
}

export function UsersTable({ users, isSearching }: UsersTableProps) {
  return (
    <DataTable
      label="Users"
      columns={columns}
      rows={users}
      rowKey={(user) => user.id}
      loadingText="Loading users..."
      emptyText={isSearching ? 'No users found' : 'No users yet'}
    />
  );
}

const columns: readonly Column<User>[] = [
  { name: 'User', cell: (user) => <Identity user={user} /> },
  { name: 'Quotas', width: '24%', showFrom: 'medium', cell: (user) => <Quotas user={user} /> },
  { name: 'Usage', width: '22%', showFrom: 'medium', cell: (user) => <UsageMeter user={user} /> },
  { name: 'Status', width: '7rem', cell: (user) => <Status user={user} /> },
  {
    name: 'Created',
    width: '8rem',
    showFrom: 'medium',
    cell: (user) => (
      <span className={`num ${styles.quiet}`} title={formatFullTime(user.created_at)}>
        {formatDay(user.created_at)}
      </span>
    ),
  },
];

function Identity({ user }: { user: User }) {
  return (
    <>
      <div className={styles.identity}>
        <span className={styles.name}>{user.name}</span>
        {user.role_name !== 'user' && <span className={styles.role}>{user.role_name}</span>}
      </div>
      <div className={styles.second}>{user.email}</div>
    </>
  );
}

function Quotas({ user }: { user: User }) {
  const limits = [user.daily_quota, user.monthly_quota, user.requests_per_hour];
  if (limits.every((limit) => limit === null)) return <span className={styles.quiet}>Unlimited</span>;
  return (
    <div className="num">
      {formatLimit(user.daily_quota)} a day
      <div className={styles.second}>
        {formatLimit(user.monthly_quota)} a month · {formatLimit(user.requests_per_hour)} requests/h
      </div>
    </div>
  );
}

function Status({ user }: { user: User }) {
  if (user.is_blocked) {
    return (
      <span title={user.blocked_reason ?? undefined}>
        <StatusMark kind="bad">Blocked</StatusMark>
      </span>
    );
  }
  return user.is_active ? (
    <StatusMark kind="ok">Active</StatusMark>
  ) : (
    <StatusMark kind="off">Inactive</StatusMark>
  );
}
