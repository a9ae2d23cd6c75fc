import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';

/**
 * Notes that the caller is shown the text of a request, unless it is their own. It belongs to the transaction that reads
 * the text, so that nobody is shown what could not be noted.
 */
export async function recordPromptRead(tx: TenantTransaction, requestId: string): Promise<void> {
  await tx.execute(sql`SELECT record_prompt_read(${requestId}::uuid)`);
}

/** Likewise for a list of requests: one entry at most, of the people whom the caller was not shown yet this hour. */
export async function recordPromptListRead(
  tx: TenantTransaction,
  requestIds: readonly string[],
): Promise<void> {
  if (requestIds.length === 0) return;
  await tx.execute(sql`SELECT record_prompt_list_read(${`{${requestIds.join(',')}}`}::uuid[])`);
}
