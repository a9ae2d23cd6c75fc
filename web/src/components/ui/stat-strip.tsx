import type { ComponentProps, ReactNode } from 'react';
import { formatCount } from '#lib/format-number.ts';
import { Failure } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';
import styles from './stat-strip.module.css';

export interface Stat {
  label: string;
  /** Numbers are formatted as counts; `undefined` while loading. */
  value: ReactNode;
  /** Line below the figure: a change, a limit or a date. */
  note?: ReactNode;
}

interface StatStripProps {
  label: string;
  stats: readonly Stat[];
  /** Reason why the figures could not be loaded. Previous figures remain visible. */
  failure?: ComponentProps<typeof Failure> | null;
}

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
