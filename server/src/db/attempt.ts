import { sql } from 'drizzle-orm';
import { ConsoleError } from '#errors/console-error.ts';
import { explainRefusedWrite } from './explain-refused-write.ts';
import type { TenantTransaction } from './tenant.ts';

/**
 * Runs one part of a transaction in a savepoint, so that a rejection only undoes this part. Returns the rejection, or
 * `null` if the part succeeded.
 * @throws any error that is not a rejection
 */
export async function attempt(
  tx: TenantTransaction,
  work: () => Promise<unknown>,
): Promise<ConsoleError | null> {
  await tx.execute(sql`SAVEPOINT attempt`);
  try {
    await work();
  } catch (thrown) {
    const error = explainRefusedWrite(thrown);
    if (!(error instanceof ConsoleError)) throw error;
    await tx.execute(sql`ROLLBACK TO SAVEPOINT attempt`);
    return error;
  }
  await tx.execute(sql`RELEASE SAVEPOINT attempt`);
  return null;
}
