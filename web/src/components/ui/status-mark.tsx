import type { ReactElement, ReactNode } from 'react';
import styles from './status-mark.module.css';

export type StatusKind = 'ok' | 'warn' | 'bad' | 'off' | 'pending';

/** Status as shape, text and color. Each alone is sufficient to recognize the status. */
export function StatusMark({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  return (
    <span className={`${styles.status} ${styles[kind]}`}>
      <StatusShape kind={kind} />
      <span>{children}</span>
    </span>
  );
}

/** Icon of a status whose text is shown elsewhere. */
export function StatusShape({ kind }: { kind: StatusKind }) {
  return (
    <svg className={styles[kind]} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      {shapes[kind]}
    </svg>
  );
}

const ring = <circle cx="5" cy="5" r="3.75" fill="none" stroke="currentColor" strokeWidth="1.5" />;

const shapes: Record<StatusKind, ReactElement> = {
  ok: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  warn: <path d="M5 1 9.5 9H.5z" fill="currentColor" />,
  bad: <rect x="1" y="1" width="8" height="8" fill="currentColor" />,
  off: ring,
  pending: (
    <>
      {ring}
      <path d="M5 1.25a3.75 3.75 0 0 0 0 7.5z" fill="currentColor" />
    </>
  ),
};
