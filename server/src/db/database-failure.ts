import { QueueFullError, QueueWaitError } from '#platform/fair-queue.ts';

/**
 * What a failed query says about the database: the caller or everyone waits for too many connections (`share_full`,
 * `busy`), it cannot be reached (`away`), or the statement took too long (`too_slow`).
 */
export type DatabaseFailure = 'share_full' | 'busy' | 'away' | 'too_slow';

const awayCodes = /^(ECONNREFUSED|ECONNRESET|ENOENT|ETIMEDOUT|EPIPE|25006|57P0[123]|08\d{3}|53300)$/;
const awayMessages = /timeout exceeded when trying to connect|Connection terminated|Query read timeout/;
const canceledCode = /^57014$/;

/** Returns `null` for errors that say nothing about the database's availability. */
export function classifyDatabaseFailure(error: unknown): DatabaseFailure | null {
  const causes = causesOf(error);
  const full = causes.find((cause) => cause instanceof QueueFullError);
  if (full) return full.depth === 0 ? 'busy' : 'share_full';
  if (causes.some((cause) => cause instanceof QueueWaitError)) return 'busy';
  const hasCode = (codes: RegExp) =>
    causes.some((cause) => 'code' in cause && codes.test(String(cause.code)));
  if (hasCode(awayCodes) || causes.some(({ message }) => awayMessages.test(message))) return 'away';
  return hasCode(canceledCode) ? 'too_slow' : null;
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
