import type { LogEntry } from '@sluice/contract';
import type { StatusKind } from '#components/ui/status-mark.tsx';
import { formatLabel } from './format-label.ts';
import { formatCount } from './format-number.ts';

/** Mark and word of each request status. */
export const statusMarks: Readonly<Record<LogEntry['status'], { kind: StatusKind; word: string }>> = {
  success: { kind: 'ok', word: 'Success' },
  error: { kind: 'bad', word: 'Error' },
  client_closed: { kind: 'off', word: 'Client closed' },
  refused: { kind: 'warn', word: 'Refused' },
};

type Outcome = Pick<LogEntry, 'status' | 'error_code' | 'repeats'>;

/** Describes status, reason and repetitions, for example `Refused · Model blacklisted · 12 times`. */
export function describeStatus({ status, error_code, repeats }: Outcome): string {
  return [statusMarks[status].word, describeReason({ status, error_code, repeats })]
    .filter(Boolean)
    .join(' · ');
}

/** Describes reason and repetitions, for example `Model blacklisted · 12 times`. */
export function describeReason({ status, error_code, repeats }: Outcome): string {
  const times = repeats > 1 ? `${formatCount(repeats)} times` : null;
  // Omits the code `client_closed`, which is also the status.
  return [error_code === null || error_code === status ? null : formatLabel(error_code), times]
    .filter(Boolean)
    .join(' · ');
}
