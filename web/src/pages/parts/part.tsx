import type { ReactNode } from 'react';
import styles from './parts.module.css';

export function PartGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.groupTitle}>{title}</h2>
      {children}
    </section>
  );
}

export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3 className={styles.partName}>{name}</h3>
      <div className={styles.shown}>{children}</div>
    </div>
  );
}

export function InBothSchemes({ children }: { children: ReactNode }) {
  return (
    <div className={styles.schemes}>
      <div className={styles.light}>{children}</div>
      <div className={styles.dark}>{children}</div>
    </div>
  );
}
