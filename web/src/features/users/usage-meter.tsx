import type { User } from '@sluice/contract';
import { formatCount } from '../../lib/format-number.ts';
import styles from './usage-meter.module.css';

const nearlyUsedUp = 0.8;

/** Today's tokens against the daily quota, and the month's beneath. */
export function UsageMeter({ user }: { user: User }) {
  const share = shareOf(user.current_daily_usage, user.daily_quota);
  return (
    <div className="num">
      <div className={styles.today}>
        {share !== null && (
          <span className={styles.track} aria-hidden="true">
            <span
              className={share > nearlyUsedUp ? styles.nearlyFull : styles.fill}
              style={{ width: `${share * 100}%` }}
            />
          </span>
        )}
        {formatCount(user.current_daily_usage)} today
      </div>
      <div className={styles.month}>{formatCount(user.current_monthly_usage)} this month</div>
    </div>
  );
}

function shareOf(usage: number, quota: number | null): number | null {
  if (quota === null) return null;
  return quota === 0 ? 1 : Math.min(1, usage / quota);
}
