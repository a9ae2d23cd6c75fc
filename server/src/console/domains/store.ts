import { and, asc, DrizzleQueryError, eq, sql } from 'drizzle-orm';
import pg from 'pg';
import { domains } from '#db/schema/identity-providers.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';

const isDomain = (tenantId: number, id: number) => and(eq(domains.tenantId, tenantId), eq(domains.id, id));

export function selectDomains(tx: TenantTransaction, tenantId: number) {
  return tx.select().from(domains).where(eq(domains.tenantId, tenantId)).orderBy(asc(domains.name));
}

export type DomainRow = typeof domains.$inferSelect;

/** @throws ConsoleError 422 on `domain` if the tenant already has the domain, 409 if another tenant has confirmed it */
export async function insertDomain(
  tx: TenantTransaction,
  values: typeof domains.$inferInsert,
): Promise<DomainRow> {
  const [row] = await explained(tx.insert(domains).values(values).returning());
  if (!row) throw new Error('the insert returned no row');
  return row;
}

/** Returns `undefined` if the domain does not exist. */
export async function markConfirmed(
  tx: SystemDatabase | TenantTransaction,
  { id, confirmedBy }: { id: number; confirmedBy: number | null },
): Promise<DomainRow | undefined> {
  const confirmedAt = sql`coalesce(${domains.confirmedAt}, now())`;
  const confirmation = { confirmedAt, confirmedBy: sql`coalesce(${domains.confirmedBy}, ${confirmedBy})` };
  const [row] = await explained(tx.update(domains).set(confirmation).where(eq(domains.id, id)).returning());
  return row;
}

export async function deleteDomainRow(tx: TenantTransaction, tenantId: number, id: number): Promise<boolean> {
  const deleted = await tx.delete(domains).where(isDomain(tenantId, id)).returning({ id: domains.id });
  return deleted.length > 0;
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    const cause = error instanceof DrizzleQueryError ? error.cause : undefined;
    const constraint = cause instanceof pg.DatabaseError ? cause.constraint : undefined;
    if (constraint === 'domains_tenant_id_name_key')
      throw invalidField('domain', 'This domain is already listed');
    if (constraint === 'domains_one_owner')
      throw new ConsoleError(409, 'Another organization owns this domain. Remove it there first.');
    throw error;
  }
}
