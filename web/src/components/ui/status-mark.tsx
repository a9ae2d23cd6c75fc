import type { LogEntry, User } from '@sluice/contract';
import type { ReactElement, ReactNode } from 'react';
import { formatLabel } from '#lib/format-label.ts';
import { formatCount } from '#lib/format-number.ts';
import styles from './status-mark.module.css';

export type StatusKind = 'ok' | 'warn' | 'bad' | 'off' | 'pending';

/** Shape, text and color are each sufficient to recognize the status. */
export function StatusMark({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  return (
    <span className={`${styles.status} ${styles[kind]}`}>
      <StatusShape kind={kind} />
      <span>{children}</span>
    </span>
  );
}

/** Missing setup makes the requests of a user or service account fail. */
export function MissingMark({ missing }: Pick<User, 'missing'>) {
  if (missing.length === 0) return null;
  return (
    <div>
      <StatusMark kind="warn">No {missing.join(', no ')}</StatusMark>
    </div>
  );
}

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

export const requestStatusMarks: Readonly<Record<LogEntry['status'], { kind: StatusKind; word: string }>> = {
  success: { kind: 'ok', word: 'Success' },
  error: { kind: 'bad', word: 'Error' },
  client_closed: { kind: 'off', word: 'Client closed' },
  refused: { kind: 'warn', word: 'Refused' },
};

type Outcome = Pick<LogEntry, 'status' | 'error_code' | 'repeats'>;

/** Example: `Refused · Model blacklisted · 12 times`. */
export function describeRequestStatus({ status, error_code, repeats }: Outcome): string {
  return [requestStatusMarks[status].word, describeRequestReason({ status, error_code, repeats })]
    .filter(Boolean)
    .join(' · ');
}

/** Example: `Model blacklisted · 12 times`. */
export function describeRequestReason({ status, error_code, repeats }: Outcome): string {
  const times = repeats > 1 ? `${formatCount(repeats)} times` : null;
  // Omits the code `client_closed`, which is also the status.
  return [error_code === null || error_code === status ? null : formatLabel(error_code), times]
    .filter(Boolean)
    .join(' · ');
}
