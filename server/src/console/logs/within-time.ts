import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError } from '#errors/console-error.ts';

const searchTimeoutMs = 10_000;

/**
 * Runs log queries with a statement timeout, so that slow queries do not slow down others.
 * @throws ConsoleError 503 that explains how to narrow the query.
 */
export async function withinTime<Result>(
  tx: TenantTransaction,
  read: () => Promise<Result>,
): Promise<Result> {
  await tx.execute(sql.raw(`SET LOCAL statement_timeout = ${searchTimeoutMs}`));
  try {
    return await read();
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new ConsoleError(
      503,
      'Looking through the log took too long. Choose fewer days, or search for a longer text.',
      5,
    );
  }
}

/** `query_canceled` */
function isTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && Reflect.get(cause, 'code') === '57014';
}
