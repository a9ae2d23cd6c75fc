import type { ReactNode } from 'react';
import styles from './limit-use.module.css';
import { QuotaBar } from './quota-bar.tsx';
import { Time } from './time.tsx';

interface LimitUseProps {
  name: ReactNode;
  used: number;
  limit: number | null;
  amount: string;
  of: string;
  /** Short remarks below the bar. */
  notes: ReactNode;
  /** `null` or absent if the limit never resets. */
  resetsAt?: string | null;
}

export function LimitUse({ name, used, limit, amount, of, notes, resetsAt }: LimitUseProps) {
  return (
    <div className={styles.limit}>
      <div className={`num ${styles.stats}`}>
        <span className={styles.name}>{name}</span>
        <span>
          <strong>{amount}</strong>
          {of}
        </span>
      </div>
      <QuotaBar used={used} limit={limit} />
      <p className={`num quiet ${styles.note}`}>
        {notes}
        {resetsAt && (
          <span>
            Resets <Time value={resetsAt} />
          </span>
        )}
      </p>
    </div>
  );
}
