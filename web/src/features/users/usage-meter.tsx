import type { User } from '@sluice/contract';
import { formatCount } from '../../lib/format-number.ts';
import { UsageBar } from './usage-bar.tsx';
import styles from './usage-meter.module.css';

/** Today's tokens against the daily quota, and the month's beneath. */
export function UsageMeter({ user }: { user: User }) {
  return (
    <div className="num">
      <div className={styles.today}>
        <UsageBar used={user.current_daily_usage} limit={user.daily_quota} className={styles.bar} />
        {formatCount(user.current_daily_usage)} today
      </div>
      <div className={styles.month}>{formatCount(user.current_monthly_usage)} this month</div>
    </div>
  );
}
