import type { ReactNode } from 'react';
import styles from './parts.module.css';

/** A group of parts under its name. */
export function PartGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.groupTitle}>{title}</h2>
      {children}
    </section>
  );
}

/** One part in one state, with a word on what it is. */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3 className={styles.partName}>{name}</h3>
      <div className={styles.shown}>{children}</div>
    </div>
  );
}

/** The same in both colour schemes, whatever the page's is. */
export function InBothSchemes({ children }: { children: ReactNode }) {
  return (
    <div className={styles.schemes}>
      <div className={styles.light}>{children}</div>
      <div className={styles.dark}>{children}</div>
    </div>
  );
}
