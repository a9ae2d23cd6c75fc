import type { ReactNode } from 'react';
import styles from './lines.module.css';

interface LineProps {
  /** Full text, for content that may be truncated. */
  title?: string | undefined;
  children: ReactNode;
}

/** Truncates text that is too long. */
export function Line({ title, children }: LineProps) {
  return (
    <div className={styles.line} title={title}>
      {children}
    </div>
  );
}

export function NameLine({ title, children }: LineProps) {
  return (
    <div className={`${styles.line} ${styles.name}`} title={title}>
      {children}
    </div>
  );
}

export function SecondLine({ title, children }: LineProps) {
  return (
    <div className={`${styles.line} ${styles.second}`} title={title}>
      {children}
    </div>
  );
}
