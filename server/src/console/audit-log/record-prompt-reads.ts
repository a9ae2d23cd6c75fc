import { sql } from 'drizzle-orm';
import type { LogTransaction } from '#db/tenant.ts';

/**
 * Records that the caller reads the text of another user's request. Runs in the transaction that reads the text, so
 * that no text is returned without an audit entry.
 */
export async function recordPromptRead(tx: LogTransaction, requestId: string): Promise<void> {
  await tx.requestLog.noteOwners(async () => [requestId]);
  await tx.execute(sql`SELECT record_prompt_read(${requestId}::uuid)`);
}

/**
 * Records that the caller reads a list of requests. Adds at most one entry, for users not yet recorded for the caller
 * in the current hour.
 */
export async function recordPromptListRead(tx: LogTransaction, requestIds: readonly string[]): Promise<void> {
  if (requestIds.length === 0) return;
  await tx.requestLog.noteOwners(async () => requestIds);
  await tx.execute(sql`SELECT record_prompt_list_read(${`{${requestIds.join(',')}}`}::uuid[])`);
}
