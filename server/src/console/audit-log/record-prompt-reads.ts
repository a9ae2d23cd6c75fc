import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';

/**
 * Records that the caller reads the text of a request of another user. Runs in the transaction that reads the text, so
 * that nothing is returned without an audit entry.
 */
export async function recordPromptRead(tx: TenantTransaction, requestId: string): Promise<void> {
  await tx.execute(sql`SELECT record_prompt_read(${requestId}::uuid)`);
}

/** Records a read of a list of requests: at most one entry, for the users not yet recorded for the caller this hour. */
export async function recordPromptListRead(
  tx: TenantTransaction,
  requestIds: readonly string[],
): Promise<void> {
  if (requestIds.length === 0) return;
  await tx.execute(sql`SELECT record_prompt_list_read(${`{${requestIds.join(',')}}`}::uuid[])`);
}
