import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';

/** The name of the constraint that a refused statement would have broken. */
export function brokenConstraint(error: unknown): string | undefined {
  const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
  return cause instanceof pg.DatabaseError ? cause.constraint : undefined;
}
