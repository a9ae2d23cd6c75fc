import type { ReactNode } from 'react';
import styles from './panel.module.css';

export function Panel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.panel} aria-label={label}>
      {children}
    </section>
  );
}

export function PanelRows({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}

/** Row with a text and, at the end, a state or button. */
export function PanelRow({ children }: { children: ReactNode }) {
  return <li className={styles.row}>{children}</li>;
}
