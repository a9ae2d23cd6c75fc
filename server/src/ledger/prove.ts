import type { TransactionType } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

/** Comparison of a tenant's balance with its ledger. Signed amounts are in nano-dollars. */
export interface Proof {
  /** Start of the summed period; `null` if all entries are summed. */
  readonly openedAt: Date | null;
  readonly opening: bigint;
  readonly booked: Readonly<Partial<Record<TransactionType, bigint>>>;
  readonly entries: number;
  readonly balance: bigint;
  /** Balance after the newest entry. */
  readonly lastBalance: bigint;
  /** Amount currently leased by nodes. */
  readonly held: bigint;
  readonly provedAt: Date;
}

/** Uses a single statement, so all values are from the same snapshot. */
export async function proveBalance(
  tx: NodePgDatabase,
  tenantId: number,
  days: number | undefined,
): Promise<Proof> {
  // Select entries by id, starting with the first entry of the period: ids follow the order of balances, but
  // `created_at` is the start time of a transaction.
  const isWithin =
    days === undefined
      ? sql`true`
      : sql`id >= (SELECT min(id) FROM ledger_entries WHERE tenant_id = ${tenantId} AND created_at >= now() - make_interval(days => ${days}))`;
  const { rows } = await tx.execute<ProofRow>(sql`
    WITH within AS (
      SELECT id, kind, amount, balance_before FROM ledger_entries WHERE tenant_id = ${tenantId} AND ${isWithin}
    ), account AS (
      SELECT limit_amount - settled AS balance, leased FROM allowances
      WHERE kind = 'credits' AND subject_id = ${tenantId} AND window_start = '-infinity'
    ), newest AS (
      SELECT balance_after FROM ledger_entries WHERE tenant_id = ${tenantId} ORDER BY id DESC LIMIT 1
    )
    SELECT (SELECT jsonb_object_agg(kind, amount::text) FROM (SELECT kind, sum(amount) AS amount FROM within GROUP BY kind) sums) AS booked,
      (SELECT count(*)::integer FROM within) AS entries,
      COALESCE((SELECT balance_before FROM within ORDER BY id LIMIT 1), (SELECT balance_after FROM newest), 0) AS opening,
      COALESCE((SELECT balance FROM account), 0) AS balance, COALESCE((SELECT balance_after FROM newest), 0) AS "lastBalance",
      COALESCE((SELECT leased FROM account), 0) AS held,
      extract(epoch FROM now())::float8 * 1000 AS "nowMs"`);
  const [row] = rows;
  if (!row) throw new Error('the query returned no sum');
  const dayMs = 86_400_000;
  return {
    openedAt: days === undefined ? null : new Date(row.nowMs - days * dayMs),
    opening: BigInt(row.opening),
    booked: Object.fromEntries(Object.entries(row.booked ?? {}).map(([kind, sum]) => [kind, BigInt(sum)])),
    entries: row.entries,
    balance: BigInt(row.balance),
    lastBalance: BigInt(row.lastBalance),
    held: BigInt(row.held),
    provedAt: new Date(row.nowMs),
  };
}

type ProofRow = Record<'opening' | 'balance' | 'lastBalance' | 'held', string> & {
  booked: Record<string, string> | null;
  entries: number;
  nowMs: number;
};

/** Tenant whose balance differs from its ledger. Amounts are in nano-dollars. */
export interface Drift {
  readonly tenantId: number;
  readonly balance: bigint;
  readonly booked: bigint;
}

/**
 * Compares every balance with the sum of the account's entries, or with its last entry, which is cheap enough to run
 * every minute. A single statement reads one snapshot, so concurrent bookings do not affect the result.
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
