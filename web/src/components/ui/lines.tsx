import type { ReactNode } from 'react';
import styles from './lines.module.css';

interface LineProps {
  /** The whole of what may be cut off. */
  title?: string | undefined;
  children: ReactNode;
}

/** A text that stays on one line. */
export function Line({ title, children }: LineProps) {
  return (
    <div className={styles.line} title={title}>
      {children}
    </div>
  );
}

/** First line: the name. */
export function NameLine({ title, children }: LineProps) {
  return (
    <div className={`${styles.line} ${styles.name}`} title={title}>
      {children}
    </div>
  );
}

/** Second line, smaller: further details. */
export function SecondLine({ title, children }: LineProps) {
  return (
    <div className={`${styles.line} ${styles.second}`} title={title}>
      {children}
    </div>
  );
}
