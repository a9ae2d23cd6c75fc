import type { ReactNode } from 'react';
import styles from './panels.module.css';

interface BreakdownProps {
  title: string;
  /** Text shown without rows. */
  none: string;
  rows: readonly { name: string; count: ReactNode }[];
}

/** Breakdown of a figure. */
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
