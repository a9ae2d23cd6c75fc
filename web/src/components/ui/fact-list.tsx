import type { ReactNode } from 'react';
import styles from './fact-list.module.css';

/** List of names and values, in two columns if there is enough space. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className={`num ${styles.facts}`}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
