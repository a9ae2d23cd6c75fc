import type { ReactNode } from 'react';
import { QuotaBar } from '#components/ui/quota-bar.tsx';
import { Time } from '#components/ui/time.tsx';
import { formatCount } from '#lib/format-number.ts';
import styles from './limit-use.module.css';

interface LimitUseProps {
  name: ReactNode;
  /** Unit: `tokens`. */
  unit: string;
  used: number;
  /** Reserved for running requests; the unused part is returned. */
  held: number;
  limit: number | null;
  /** Reset time; absent if the limit never resets. */
  resetsAt?: string;
}

/** Usage of one limit, the part held by running requests, and the reset time. */
export function LimitUse({ name, unit, used, held, limit, resetsAt }: LimitUseProps) {
  return (
    <div className={styles.limit}>
      <div className={`num ${styles.stats}`}>
        <span className={styles.name}>{name}</span>
        <span>
          <strong>{formatCount(used)}</strong>
          {limit === null ? ` ${unit}, unlimited` : ` of ${formatCount(limit)} ${unit}`}
        </span>
      </div>
      <QuotaBar used={used} limit={limit} />
      <p className={`num quiet ${styles.note}`}>
        {held > 0 && <span>{`${formatCount(held)} ${unit} reserved for running requests`}</span>}
        {resetsAt !== undefined && (
          <span>
            Resets <Time value={resetsAt} />
          </span>
        )}
      </p>
    </div>
  );
}
