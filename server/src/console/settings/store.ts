import type { DeviationPolicy } from '@sluice/contract';
import { eq, sql } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export async function selectSettings(tx: TenantTransaction, tenantId: number) {
  const [row] = await tx
    .select({
      name: tenants.name,
      timeZone: tenants.timeZone,
      deviationPolicy: tenants.deviationPolicy,
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row;
}

export async function changeSettings(
  tx: TenantTransaction,
  tenantId: number,
  columns: {
    name: string | undefined;
    timeZone: string | undefined;
    deviationPolicy: DeviationPolicy | undefined;
  },
): Promise<void> {
  // The database has no statement that sets nothing.
  if (Object.values(columns).every((value) => value === undefined)) return;
  await tx.update(tenants).set(columns).where(eq(tenants.id, tenantId));
}

/** A zone's name as the database writes it, however it was capitalised. */
export async function findTimeZone(tx: TenantTransaction, name: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ name: string }>(
    sql`SELECT name FROM pg_timezone_names WHERE lower(name) = lower(${name})`,
  );
  return rows[0]?.name;
}
