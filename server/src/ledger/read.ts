import type { TransactionType } from '@sluice/contract';
import { and, count, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { ledgerEntries } from '#db/schema/payments.ts';
import { totalCountMax } from '#domain/total-count.ts';
import type { LedgerEntry } from './entry.ts';

/** Account of a tenant. Amounts are in nano-dollars. */
export interface Account {
  readonly tenantId: number;
  readonly balance: bigint;
  /** Total of recharges and bonuses. */
  readonly recharged: bigint;
  /** Total of deductions minus their refunds. */
  readonly spent: bigint;
  readonly refunded: bigint;
  readonly lastEntryAt: Date | null;
}

/** Amounts are zero for tenants without credits. */
export async function readAccounts(tx: NodePgDatabase, tenantId?: number): Promise<Account[]> {
  const isWanted = tenantId === undefined ? sql`true` : sql`t.id = ${tenantId}`;
  // Sum only entries that are not deductions (manual entries and payments), because they are few. Deductions are the
  // remainder of the settled amount.
  const { rows } = await tx.execute<AccountRow>(sql`
    SELECT t.id AS "tenantId", COALESCE(a.limit_amount - a.settled, 0) AS balance, COALESCE(h.recharged, 0) AS recharged,
      COALESCE(a.settled, 0) - COALESCE(h.taken, 0) - COALESCE(h.returned, 0) AS spent, COALESCE(h.refunded, 0) AS refunded,
      extract(epoch FROM l.created_at)::float8 * 1000 AS "lastEntryMs"
    FROM tenants t
    LEFT JOIN allowances a ON a.kind = 'credits' AND a.subject_id = t.id AND a.window_start = '-infinity'
    LEFT JOIN LATERAL (
      SELECT sum(e.amount) FILTER (WHERE e.kind IN ('recharge', 'bonus')) AS recharged,
        sum(e.amount) FILTER (WHERE e.kind = 'refund') AS refunded,
        sum(e.amount) FILTER (WHERE e.kind = 'refund' AND original.kind = 'deduction') AS returned,
        -sum(e.amount) FILTER (WHERE e.amount < 0) AS taken
      FROM ledger_entries e LEFT JOIN ledger_entries original ON original.id = e.refunded_entry_id
      WHERE e.tenant_id = t.id AND e.kind <> 'deduction'
    ) h ON true
    LEFT JOIN LATERAL (
      SELECT created_at FROM ledger_entries WHERE tenant_id = t.id ORDER BY id DESC LIMIT 1
    ) l ON true
    WHERE ${isWanted} ORDER BY t.id`);
  return rows.map((row) => ({
    tenantId: row.tenantId,
    balance: BigInt(row.balance),
    recharged: BigInt(row.recharged),
    spent: BigInt(row.spent),
    refunded: BigInt(row.refunded),
    lastEntryAt: row.lastEntryMs === null ? null : new Date(row.lastEntryMs),
  }));
}

type AccountRow = Record<'balance' | 'recharged' | 'spent' | 'refunded', string> & {
  tenantId: number;
  lastEntryMs: number | null;
};

export interface EntryFilter {
  readonly tenantId: number;
  readonly kind?: TransactionType | undefined;
  readonly days?: number | undefined;
  readonly before?: number | undefined;
}

export function readEntries(
  tx: NodePgDatabase,
  filter: EntryFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<LedgerEntry[]> {
  return tx
    .select()
    .from(ledgerEntries)
    .where(toCondition(filter))
    .orderBy(desc(ledgerEntries.id))
    .offset(offset)
    .limit(limit);
}

/** Stops counting at one above the maximum. */
export async function countEntries(tx: NodePgDatabase, filter: EntryFilter): Promise<number> {
  const counted = tx
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(toCondition(filter))
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}

function toCondition({ tenantId, kind, days, before }: EntryFilter): SQL | undefined {
  return and(
    eq(ledgerEntries.tenantId, tenantId),
    kind && eq(ledgerEntries.kind, kind),
    before === undefined ? undefined : lt(ledgerEntries.id, before),
    days === undefined
      ? undefined
      : sql`${ledgerEntries.createdAt} >= now() - make_interval(days => ${days})`,
  );
}
