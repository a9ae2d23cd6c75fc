import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError } from '#errors/console-error.ts';

const searchTimeoutMs = 10_000;

/**
 * Runs what reads the log, each statement of it for some seconds at most: what takes longer helps nobody and slows others.
 * @throws ConsoleError 503 that says how to ask for less
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
