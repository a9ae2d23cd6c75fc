import { LogStoreError, LogTimeoutError } from '#domain/request-log/log-store-error.ts';
import { QueueFullError, QueueWaitError } from '#platform/fair-queue.ts';
import { causesOf, findOutage } from '#platform/fold-repeats.ts';

/**
 * Cause of a failed query: too many connections of the caller (`share_full`) or in total (`busy`), an unreachable
 * database (`away`) or a slow statement (`too_slow`).
 */
export type DatabaseFailure = 'share_full' | 'busy' | 'away' | 'too_slow';

const canceledCode = '57014';

/** Returns `null` for errors unrelated to the availability of the database. */
export function classifyDatabaseFailure(error: unknown): DatabaseFailure | null {
  const causes = causesOf(error);
  const full = causes.find((cause) => cause instanceof QueueFullError);
  if (full) return full.depth === 0 ? 'busy' : 'share_full';
  if (causes.some((cause) => cause instanceof QueueWaitError)) return 'busy';
  if (causes.some((cause) => cause instanceof LogStoreError) || findOutage(error)) return 'away';
  if (causes.some((cause) => cause instanceof LogTimeoutError)) return 'too_slow';
  return causes.some((cause) => 'code' in cause && cause.code === canceledCode) ? 'too_slow' : null;
}
