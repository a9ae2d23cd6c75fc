import type { User } from '@sluice/contract';
import { SecondLine } from '../../components/ui/lines.tsx';
import { QuotaBar } from '../../components/ui/quota-bar.tsx';
import { formatCount } from '../../lib/format-number.ts';
import styles from './usage-cell.module.css';

/** Today's tokens and daily quota, with the month's below. */
export function UsageCell({ user }: { user: User }) {
  return (
    <div className="num">
      <div className={styles.today}>
        <QuotaBar used={user.current_daily_usage} limit={user.daily_quota} className={styles.bar} />
        {formatCount(user.current_daily_usage)} today
      </div>
      <SecondLine>{formatCount(user.current_monthly_usage)} this month</SecondLine>
    </div>
  );
}
