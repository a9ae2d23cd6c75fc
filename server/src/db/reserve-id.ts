import { getTableName, sql } from 'drizzle-orm';
import type { identityProviders } from './schema/identity-providers.ts';
import type { llmProviders } from './schema/llm-providers.ts';
import type { totpAuthenticators } from './schema/second-factors.ts';
import type { SystemDatabase } from './system.ts';
import type { TenantTransaction } from './tenant.ts';

type SealingTable = typeof identityProviders | typeof llmProviders | typeof totpAuthenticators;

/**
 * Returns the id for a new row, so that a secret whose encryption is bound to the id can be inserted with the row.
 * A later update would add a second entry to the audit log.
 */
export async function reserveId(
  tx: TenantTransaction | SystemDatabase,
  table: SealingTable,
): Promise<number> {
  const { rows } = await tx.execute<{ id: number }>(
    sql`SELECT nextval(pg_get_serial_sequence(${getTableName(table)}, 'id'))::integer AS id`,
  );
  if (!rows[0]) throw new Error('nextval returned no row');
  return rows[0].id;
}
