import type { User } from '@sluice/contract';
import { SecondLine } from '../../components/ui/lines.tsx';
import { UsageBar } from '../../components/ui/usage-bar.tsx';
import { formatCount } from '../../lib/format-number.ts';
import styles from './usage-meter.module.css';

/** Today's tokens against the daily quota, and the month's beneath. */
export function UsageMeter({ user }: { user: User }) {
  return (
    <div className="num">
      <div className={styles.today}>
        <UsageBar used={user.current_daily_usage} limit={user.daily_quota} className={styles.bar} />
        {formatCount(user.current_daily_usage)} today
      </div>
      <SecondLine>{formatCount(user.current_monthly_usage)} this month</SecondLine>
    </div>
  );
}
