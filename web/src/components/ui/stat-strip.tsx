import type { ComponentProps, ReactNode } from 'react';
import { formatCount } from '#lib/format-number.ts';
import { Failure } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';
import styles from './stat-strip.module.css';

export interface Stat {
  label: string;
  /** A count is written as one; `undefined` while it is loading. */
  value: ReactNode;
  /** A line beneath: a change, a limit, a date. */
  note?: ReactNode;
}

interface StatStripProps {
  label: string;
  stats: readonly Stat[];
  /** Why there are no figures; while older ones are at hand, they stand. */
  failure?: ComponentProps<typeof Failure> | null;
}

/** A few figures side by side between hairlines. */
export function StatStrip({ label, stats, failure }: StatStripProps) {
  const isLoading = stats.some(({ value }) => value === undefined);
  if (failure && isLoading) return <Failure {...failure} />;
  return (
    <section className={styles.strip} aria-label={label} aria-busy={isLoading}>
      <dl className={styles.list}>
        {stats.map((stat) => (
          <div key={stat.label} className={styles.stat}>
            <dt>{stat.label}</dt>
            <dd className={`num ${styles.value}`}>
              {stat.value === undefined ? <Skeleton width="5rem" height="1.25rem" /> : format(stat.value)}
            </dd>
            {stat.note !== undefined && <dd className={`num ${styles.note}`}>{stat.note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}

const format = (value: ReactNode) => (typeof value === 'number' ? formatCount(value) : value);
