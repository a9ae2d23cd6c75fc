import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

const isCredits = sql`kind = 'credits' AND window_start = '-infinity'`;

export async function lockBalances(
  tx: NodePgDatabase,
  tenantIds: readonly number[],
): Promise<Map<number, bigint>> {
  const ids = [...new Set(tenantIds)];
  const known = await selectForUpdate(tx, ids);
  if (known.size === ids.length) return known;
  await tx.execute(sql`
    INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount)
    SELECT id, 'credits', id, '-infinity', 0 FROM tenants WHERE id = ANY(${sql.param(ids)}::integer[]) ORDER BY id
    ON CONFLICT DO NOTHING`);
  return selectForUpdate(tx, ids);
}

/** Returns the tenant's credits currently leased by nodes, in nano-dollars. */
export async function readHeld(tx: NodePgDatabase, tenantId: number): Promise<bigint> {
  const { rows } = await tx.execute<{ leased: string }>(
    sql`SELECT leased FROM allowances WHERE ${isCredits} AND subject_id = ${tenantId}`,
  );
  return BigInt(rows[0]?.leased ?? 0);
}

async function selectForUpdate(tx: NodePgDatabase, ids: number[]): Promise<Map<number, bigint>> {
  const { rows } = await tx.execute<{ tenantId: number; balance: string }>(sql`
    SELECT subject_id AS "tenantId", limit_amount - settled AS balance FROM allowances
    WHERE ${isCredits} AND subject_id = ANY(${sql.param(ids)}::integer[]) ORDER BY id FOR UPDATE`);
  return new Map(rows.map(({ tenantId, balance }) => [tenantId, BigInt(balance)]));
}

/**
 * Applies entries to the tenants' balances: positive amounts raise the limit, and negative amounts are added to the
 * settled amount.
 */
export async function moveBalances(
  tx: NodePgDatabase,
  entries: readonly { tenantId: number; amount: bigint }[],
): Promise<void> {
  // Update the limit and the settled amount separately: a write of the limit notifies every node even if the value
  // does not change.
  await move(tx, 'limit_amount', sumByTenant(entries.filter(({ amount }) => amount > 0n)));
  await move(tx, 'settled', sumByTenant(entries.filter(({ amount }) => amount < 0n)));
}

function sumByTenant(entries: readonly { tenantId: number; amount: bigint }[]): Map<number, bigint> {
  const sums = new Map<number, bigint>();
  for (const { tenantId, amount } of entries) {
    sums.set(tenantId, (sums.get(tenantId) ?? 0n) + (amount < 0n ? -amount : amount));
  }
  return sums;
}

async function move(
  tx: NodePgDatabase,
  name: 'limit_amount' | 'settled',
  sums: ReadonlyMap<number, bigint>,
): Promise<void> {
  if (sums.size === 0) return;
  const column = sql.identifier(name);
  const amounts = [...sums.values()].map(String);
  await tx.execute(sql`
    UPDATE allowances SET ${column} = ${column} + moved.amount
    FROM unnest(${sql.param([...sums.keys()])}::integer[], ${sql.param(amounts)}::bigint[]) AS moved (tenant_id, amount)
    WHERE ${isCredits} AND subject_id = moved.tenant_id`);
}

/**
 * Notifies every node that balances were reduced manually, so that nodes return their leases instead of spending
 * them. Not needed for increases, which notify nodes on their own, or for request costs, which are never announced.
 */
export async function announceBalances(tx: NodePgDatabase, tenantIds: readonly number[]): Promise<void> {
  if (tenantIds.length === 0) return;
  await tx.execute(sql`
    SELECT pg_notify('sluice_changes', 'allowances:' || id) FROM allowances
    WHERE ${isCredits} AND subject_id = ANY(${sql.param([...tenantIds])}::integer[])`);
}
