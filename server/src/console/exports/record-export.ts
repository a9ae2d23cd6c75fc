import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';

/** Records an export and its filters in the audit log. */
export async function recordExport(
  tx: TenantTransaction,
  noun: string,
  filters: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.execute(sql`SELECT record_export(${noun}, ${JSON.stringify(filters)}::jsonb)`);
}
