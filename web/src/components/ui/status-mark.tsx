import type { ReactElement, ReactNode } from 'react';
import styles from './status-mark.module.css';

export type StatusKind = 'ok' | 'warn' | 'bad' | 'off';

/** A status as shape, word and colour, so that no one of them has to be seen. */
export function StatusMark({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  return (
    <span className={`${styles.status} ${styles[kind]}`}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {shapes[kind]}
      </svg>
      <span>{children}</span>
    </span>
  );
}

const shapes: Record<StatusKind, ReactElement> = {
  ok: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  warn: <path d="M5 1 9.5 9H.5z" fill="currentColor" />,
  bad: <rect x="1" y="1" width="8" height="8" fill="currentColor" />,
  off: <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
};
