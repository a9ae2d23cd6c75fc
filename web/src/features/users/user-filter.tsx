import type { User } from '@sluice/contract';
import { formatCount } from '../../lib/format-number.ts';
import styles from './user-counts.module.css';
import { countUsers } from './user-list.ts';

export function UserCounts({ users }: { users: readonly User[] }) {
  const counts = countUsers(users);
  return (
    <dl className={styles.counts}>
      <Count label="Total" value={counts.total} />
      <Count label="Active" value={counts.active} />
      <Count label="Blocked" value={counts.blocked} />
    </dl>
  );
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div className={styles.count}>
      <dt>{label}</dt>
      <dd className="num">{formatCount(value)}</dd>
    </div>
  );
}
