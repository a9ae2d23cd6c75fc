import { QueueFullError, QueueWaitError } from '#platform/fair-queue.ts';
import { causesOf, findOutage } from '#platform/outage-error.ts';

/**
 * What a failed query says about the database: the caller or everyone waits for too many connections (`share_full`,
 * `busy`), it cannot be reached (`away`), or the statement took too long (`too_slow`).
 */
export type DatabaseFailure = 'share_full' | 'busy' | 'away' | 'too_slow';

const canceledCode = '57014';

/** Returns `null` for errors that say nothing about the database's availability. */
export function classifyDatabaseFailure(error: unknown): DatabaseFailure | null {
  const causes = causesOf(error);
  const full = causes.find((cause) => cause instanceof QueueFullError);
  if (full) return full.depth === 0 ? 'busy' : 'share_full';
  if (causes.some((cause) => cause instanceof QueueWaitError)) return 'busy';
  if (findOutage(error)) return 'away';
  return causes.some((cause) => 'code' in cause && cause.code === canceledCode) ? 'too_slow' : null;
}
