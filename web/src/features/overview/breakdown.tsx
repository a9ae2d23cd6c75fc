import type { ReactNode } from 'react';
import styles from './panels.module.css';

interface BreakdownProps {
  title: string;
  /** Said when there are no rows. */
  none: string;
  rows: readonly { name: string; count: ReactNode }[];
}

/** What a figure is made of. */
export function Breakdown({ title, none, rows }: BreakdownProps) {
  return (
    <div>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className={styles.explanation}>{none}</p>
      ) : (
        <dl className={`num ${styles.breakdown}`}>
          {rows.map(({ name, count }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
