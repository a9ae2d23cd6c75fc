import { DrizzleQueryError } from 'drizzle-orm';

/** Returns whether the cause is `lock_not_available` or `deadlock_detected`. */
export function isLockTaken(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
  return cause !== undefined && 'code' in cause && ['55P03', '40P01'].includes(String(cause.code));
}
