import assert from 'node:assert/strict';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import fc from 'fast-check';
import type pg from 'pg';
import { type Charge, postDeductions } from '#ledger/deductions.ts';
import type { EntryDraft } from '#ledger/entry.ts';
import { postEntries, RefundRefusedError, refund } from '#ledger/post.ts';

type ByHand = 'recharge' | 'bonus' | 'penalty' | 'adjustment';

/** Ledger operations. Numbers are indexes of tenants, sources, requests and entries. */
export type Step = { crashes: boolean } & (
  | { do: 'book'; tenant: number; kind: ByHand; amount: bigint; source: number }
  | {
      do: 'deduct';
      charges: { tenant: number; instance: number; model: string; minute: number; cost: bigint }[];
    }
  | { do: 'refund'; tenant: number; entry: number; percent: number; source: number }
);

const tenantCount = 2;
const tenant = fc.nat(tenantCount - 1);
const amount = fc.oneof(fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 1n, max: 10_000_000_000_000n }));
// The range is small, so that some sources occur twice.
const source = fc.nat(12);
const crashes = fc.nat(9).map((roll) => roll === 0);

export const sequences: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      crashes,
      do: fc.constant('book' as const),
      tenant,
      kind: fc.constantFrom<ByHand>('recharge', 'bonus', 'penalty', 'adjustment'),
      amount,
      source,
    }),
    fc.record({
      crashes,
      do: fc.constant('deduct' as const),
      charges: fc.array(
        fc.record({
          tenant,
          instance: fc.nat(1),
          model: fc.constantFrom('a', 'b'),
          minute: fc.nat(1),
          cost: fc.oneof(fc.constant(0n), amount),
        }),
        { maxLength: 8 },
      ),
    }),
    fc.record({
      crashes,
      do: fc.constant('refund' as const),
      tenant,
      entry: fc.nat(20),
      percent: fc.integer({ min: 1, max: 110 }),
      source,
    }),
  ),
  { minLength: 1, maxLength: 14 },
);

interface ReferenceEntry {
  kind: string;
  amount: bigint;
  before: bigint;
  after: bigint;
  refunded: bigint;
}

class Reference {
  readonly entries: ReferenceEntry[][] = Array.from({ length: tenantCount }, () => []);
  readonly #sources = new Set<string>();

  balanceOf(place: number): bigint {
    return this.entries[place]!.at(-1)?.after ?? 0n;
  }

  book(place: number, kind: string, change: bigint, name: string): void {
    if (this.#sources.has(name)) return;
    this.#sources.add(name);
    const before = this.balanceOf(place);
    this.entries[place]!.push({ kind, amount: change, before, after: before + change, refunded: 0n });
  }

  isBooked(name: string): boolean {
    return this.#sources.has(name);
  }
}

let round = 0;

export async function runSequence(pool: pg.Pool, steps: readonly Step[]): Promise<void> {
  round++;
  const tenantIds = await addTenants(pool);
  const reference = new Reference();
  const requests = { count: 0 };
  for (const step of steps) await runStep(pool, step, { tenantIds, reference, requests });
  for (const [place, tenantId] of tenantIds.entries()) {
    const { rows } = await pool.query(
      'SELECT kind, amount, balance_before, balance_after FROM ledger_entries WHERE tenant_id = $1 ORDER BY id',
      [tenantId],
    );
    const booked = rows.map((row) => ({
      kind: row.kind,
      amount: BigInt(row.amount),
      before: BigInt(row.balance_before),
      after: BigInt(row.balance_after),
    }));
    assert.deepEqual(
      booked,
      reference.entries[place]!.map(({ refunded: _refunded, ...entry }) => entry),
    );
    const { rows: accounts } = await pool.query(
      "SELECT limit_amount - settled AS balance FROM allowances WHERE kind = 'credits' AND subject_id = $1",
      [tenantId],
    );
    assert.equal(BigInt(accounts[0]?.balance ?? 0), reference.balanceOf(place));
  }
}

async function addTenants(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    "INSERT INTO tenants (name, slug) SELECT 'T', 't-' || $1 || '-' || n FROM generate_series(1, $2::integer) n RETURNING id",
    [round, tenantCount],
  );
  return rows.map(({ id }) => id);
}

type Transact = (work: (tx: NodePgDatabase) => Promise<unknown>) => Promise<void>;

interface Scene {
  readonly tenantIds: readonly number[];
  readonly reference: Reference;
  readonly requests: { count: number };
}

async function runStep(pool: pg.Pool, step: Step, scene: Scene): Promise<void> {
  const { reference } = scene;
  const name = 'source' in step ? `test/${round}/${step.source}` : '';
  const inTransaction: Transact = (work) => transact(pool, step.crashes, work);
  if (step.do === 'deduct') {
    const charges = step.charges.map((charge) => toCharge(charge, scene));
    await inTransaction((tx) => postDeductions(tx, charges));
    if (!step.crashes) foldIntoReference(step.charges, scene);
    return;
  }
  const tenantId = scene.tenantIds[step.tenant]!;
  const draft = {
    tenantId,
    source: name,
    description: 'a test',
    actorId: null,
  } satisfies Partial<EntryDraft>;
  if (step.do === 'book') {
    const isTaken = step.kind === 'penalty' || (step.kind === 'adjustment' && step.amount % 2n === 0n);
    const signed = isTaken ? -step.amount : step.amount;
    await inTransaction((tx) => postEntries(tx, [{ ...draft, kind: step.kind, amount: signed }]));
    if (!step.crashes) reference.book(step.tenant, step.kind, signed, name);
    return;
  }
  await runRefund(inTransaction, step, { ...scene, draft });
}

async function runRefund(
  inTransaction: Transact,
  step: Step & { do: 'refund' },
  { reference, tenantIds, draft }: Scene & { draft: Omit<EntryDraft, 'kind' | 'amount'> },
): Promise<void> {
  const entries = reference.entries[step.tenant]!;
  const place = step.entry % Math.max(1, entries.length);
  const entry = entries[place];
  const entryId = entry ? await readEntryId(inTransaction, tenantIds[step.tenant]!, place) : 999_999_999;
  const wanted = entry
    ? ((entry.amount < 0n ? -entry.amount : entry.amount) * BigInt(step.percent)) / 100n
    : 1n;
  const amountWanted = wanted > 0n ? wanted : 1n;
  const isCharge = entry?.kind === 'deduction' || entry?.kind === 'penalty';
  const fits = isCharge && amountWanted <= -entry.amount - entry.refunded;
  const attempt = inTransaction((tx) =>
    refund(tx, { ...draft, amount: amountWanted, refundedEntryId: entryId }),
  );
  if (!fits) {
    await assert.rejects(attempt, RefundRefusedError);
    return;
  }
  await attempt;
  if (step.crashes || reference.isBooked(draft.source)) return;
  reference.book(step.tenant, 'refund', amountWanted, draft.source);
  entry.refunded += amountWanted;
}

async function readEntryId(inTransaction: Transact, tenantId: number, place: number): Promise<number> {
  let id = 0;
  await inTransaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(
      `SELECT id FROM ledger_entries WHERE tenant_id = ${tenantId} ORDER BY id OFFSET ${place} LIMIT 1`,
    );
    id = Number(rows[0]!.id);
  });
  return id;
}

type ChargeStep = (Step & { do: 'deduct' })['charges'][number];

function toCharge({ tenant: place, instance, model, minute, cost }: ChargeStep, scene: Scene): Charge {
  scene.requests.count++;
  return {
    requestId: `${round}-${String(scene.requests.count).padStart(6, '0')}`,
    tenantId: scene.tenantIds[place]!,
    llmProviderId: instance,
    providerKey: 'openai',
    model,
    receivedAtMs: minute * 60_000 + 1_234,
    tokens: 1,
    costNanoUsd: cost,
  };
}

function foldIntoReference(charges: readonly ChargeStep[], { reference }: Scene): void {
  const sums = new Map<string, bigint>();
  for (const { tenant: place, instance, model, minute, cost } of charges) {
    const group = `${place}/${instance}/${model}/${minute}`;
    sums.set(group, (sums.get(group) ?? 0n) + cost);
  }
  let number = 0;
  for (const [group, sum] of sums) {
    if (sum > 0n)
      reference.book(
        Number(group[0]),
        'deduction',
        -sum,
        `group ${reference.entries.flat().length} ${number++}`,
      );
  }
}

/**
 * Runs one transaction. A crashing transaction does all its work and is then rolled back, as if its process had been
 * killed.
 */
async function transact(
  pool: pg.Pool,
  isUndone: boolean,
  work: (tx: NodePgDatabase) => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(drizzle({ client }));
    await client.query(isUndone ? 'ROLLBACK' : 'COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
