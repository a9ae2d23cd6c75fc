import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { sessions, users } from './schema/users.ts';

const currentVersion = sql`(SELECT ${users.tokenVersion} FROM ${users} WHERE ${users.id} = ${sessions.userId})`;

/**
 * SQL condition that a session has neither ended nor expired, and that no change has ended all sessions of its user.
 * A change that depends on the condition must lock the user first.
 */
// safe because `and` returns undefined only without conditions
export const isLiveSession = and(
  isNull(sessions.endedAt),
  gt(sessions.expiresAt, sql`now()`),
  eq(sessions.tokenVersion, currentVersion),
) as SQL;
