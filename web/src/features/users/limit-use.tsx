import type { ReactNode } from 'react';
import { QuotaBar } from '../../components/ui/quota-bar.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatCount } from '../../lib/format-number.ts';
import styles from './limit-use.module.css';

interface LimitUseProps {
  name: ReactNode;
  /** What is counted: `tokens`. */
  unit: string;
  used: number;
  /** Set aside for requests that are running; what they do not use comes back. */
  held: number;
  limit: number | null;
  /** When it starts again from 0; absent for what never does. */
  resetsAt?: string;
}

/** What is used of one limit, what running requests hold, and when it starts again. */
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
        {held > 0 && <span>{`${formatCount(held)} ${unit} held for running requests`}</span>}
        {resetsAt !== undefined && (
          <span>
            Starts again <Time value={resetsAt} />
          </span>
        )}
      </p>
    </div>
  );
}
