import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';

/** Returns the name of the constraint that a failed statement violated. */
export function brokenConstraint(error: unknown): string | undefined {
  const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
  return cause instanceof pg.DatabaseError ? cause.constraint : undefined;
}
