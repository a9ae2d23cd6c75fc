import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

/** A tenant whose balance differs from its ledger, in nano-dollars. */
export interface Drift {
  readonly tenantId: number;
  readonly balance: bigint;
  readonly booked: bigint;
}

/**
 * Compares every balance with the sum of its entries or, cheap enough for every minute, with the last entry. A single
 * statement sees one state of the database, so entries being booked do not matter.
 */
export async function findDrift(database: NodePgDatabase, by: 'sum' | 'last entry'): Promise<Drift[]> {
  const booked =
    by === 'sum'
      ? sql`SELECT sum(amount) FROM ledger_entries WHERE tenant_id = t.id`
      : sql`SELECT balance_after FROM ledger_entries WHERE tenant_id = t.id ORDER BY id DESC LIMIT 1`;
  const { rows } = await database.execute<{ tenantId: number; balance: string; booked: string }>(sql`
    SELECT * FROM (
      SELECT t.id AS "tenantId", COALESCE(a.limit_amount - a.settled, 0)::numeric AS balance,
        COALESCE((${booked}), 0)::numeric AS booked
      FROM tenants t
      LEFT JOIN allowances a ON a.kind = 'credits' AND a.subject_id = t.id AND a.window_start = '-infinity'
    ) compared WHERE balance <> booked ORDER BY "tenantId"`);
  return rows.map(({ tenantId, balance, booked }) => ({
    tenantId,
    balance: BigInt(balance),
    booked: BigInt(booked),
  }));
}
