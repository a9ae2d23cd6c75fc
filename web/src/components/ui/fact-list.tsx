import type { ReactNode } from 'react';
import styles from './fact-list.module.css';

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
