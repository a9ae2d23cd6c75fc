import { useQuery } from '@tanstack/react-query';
import { QuotaBar } from '../../components/ui/quota-bar.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatCount, formatLimit } from '../../lib/format-number.ts';
import { formatZonedTime } from '../../lib/format-time.ts';
import { quotaStatusQuery } from '../../lib/quota-status.ts';
import styles from './active-tasks.module.css';
import { isReached, quotaNames, sayRefused } from './quota-text.ts';

/** The user's limits with usage and reset time. */
export function Limits() {
  const { data: status } = useQuery(quotaStatusQuery);
  return (
    <section className={styles.panel} aria-label="Limits">
      <h2>Limits</h2>
      {!status && <SkeletonLines count={3} />}
      <ul className={styles.list}>
        {status &&
          quotaNames.map(([kind, name]) => {
            const quota = status.quotas[kind];
            const { used, limit, resets_at } = quota;
            return (
              <li key={kind}>
                <div className={styles.head}>
                  <span>{name}</span>
                  <span className="num">
                    {formatCount(used)} of {formatLimit(limit)}
                  </span>
                </div>
                <QuotaBar used={used} limit={limit} />
                {isReached(quota) ? (
                  <p className="num">
                    <StatusMark kind="bad">Reached</StatusMark>: {sayRefused(quota)}. Your administrator set
                    this limit and can raise it.
                  </p>
                ) : (
                  <p className="num quiet">Resets {formatZonedTime(resets_at)}</p>
                )}
              </li>
            );
          })}
      </ul>
    </section>
  );
}
