import { drizzle } from 'drizzle-orm/node-postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { runSequence, sequences } from '#test/load/ledger-sequences.ts';
import { type Charge, foldCharges, postDeductions } from './deductions.ts';
import type { EntryDraft } from './entry.ts';
import { postEntries, RefundRefusedError, refund } from './post.ts';
import { findDrift } from './prove.ts';
import { countEntries, readAccounts, readEntries } from './read.ts';

let database: TestDatabase;
let system: SystemDatabase;
let one: number;
let two: number;
let names = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());
beforeEach(async () => {
  names++;
  one = await addTenant(database.pool, `One ${names}`);
  two = await addTenant(database.pool, `Two ${names}`);
});

const draft = (more: Partial<EntryDraft> = {}): EntryDraft => ({
  tenantId: one,
  kind: 'recharge',
  amount: 1_000n,
  source: `test/${crypto.randomUUID()}`,
  description: 'a test',
  actorId: null,
  ...more,
});
const book = (...drafts: EntryDraft[]) => system.transaction((tx) => postEntries(tx, drafts));
const charge = (more: Partial<Charge> = {}): Charge => ({
  requestId: crypto.randomUUID(),
  tenantId: one,
  llmProviderId: 7,
  providerKey: 'openai',
  model: 'gpt-5',
  receivedAtMs: 60_000,
  tokens: 10,
  costNanoUsd: 100n,
  ...more,
});
const deduct = (...charges: Charge[]) => system.transaction((tx) => postDeductions(tx, charges));
const balanceOf = async (tenantId: number) => (await readAccounts(system, tenantId))[0]?.balance;
const entriesOf = (tenantId: number) => readEntries(system, { tenantId }, { offset: 0, limit: 100 });

describe('ledger', () => {
  it('the ledger equals its reference after any sequence of entries, deductions, refunds, repetitions and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, (steps) => runSequence(database.pool, steps)),
      { numRuns: 75 },
    );
    expect(await findDrift(system, 'sum')).toEqual([]);
    expect(await findDrift(system, 'last entry')).toEqual([]);
  }, 300_000);

  it('postEntries books a source once for 50 concurrent calls', async () => {
    const same = draft();
    const answers = await Promise.all(Array.from({ length: 50 }, () => book(same)));
    expect(answers.flat()).toHaveLength(1);
    expect(await balanceOf(one)).toBe(1_000n);
  });

  it('postEntries loses no entry of concurrent calls for two tenants', async () => {
    const drafts = Array.from({ length: 60 }, (_, n) => draft({ tenantId: n % 2 ? one : two, amount: 3n }));
    await Promise.all(drafts.map((each) => book(each)));
    expect([await balanceOf(one), await balanceOf(two)]).toEqual([90n, 90n]);
    expect(await findDrift(system, 'sum')).toEqual([]);
  });

  it('postEntries books nothing if the transaction of the caller fails', async () => {
    const failing = system.transaction(async (tx) => {
      await postEntries(tx, [draft()]);
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    expect(await balanceOf(one)).toBe(0n);
    expect(await entriesOf(one)).toEqual([]);
  });

  it('postEntries rejects unknown tenants', async () => {
    await expect(book(draft({ tenantId: 2_000_000_000 }))).rejects.toThrow('does not exist');
  });
});

describe('postDeductions', () => {
  it('postDeductions books one entry per tenant, instance, model and minute', async () => {
    const minute = 3 * 60_000;
    await deduct(
      charge({ receivedAtMs: minute, costNanoUsd: 5n }),
      charge({ receivedAtMs: minute + 59_999, costNanoUsd: 6n }),
      charge({ receivedAtMs: minute + 60_000 }),
      charge({ receivedAtMs: minute, model: 'gpt-5-mini' }),
      charge({ receivedAtMs: minute, llmProviderId: 8 }),
      charge({ receivedAtMs: minute, tenantId: two }),
    );
    const entries = await entriesOf(one);
    expect(entries.map(({ amount }) => amount)).toEqual([-100n, -100n, -100n, -11n]);
    expect(entries.at(-1)).toMatchObject({
      kind: 'deduction',
      description: '2 requests to gpt-5',
      requests: 2,
      tokens: 20,
      minute: new Date(minute),
      providerKey: 'openai',
      llmProviderId: 7,
    });
    expect(await balanceOf(two)).toBe(-100n);
  });

  it('postDeductions books a batch once if it is shipped again', async () => {
    const batch = [charge(), charge({ model: 'b' })];
    await deduct(...batch);
    await deduct(...batch.toReversed());
    expect(await balanceOf(one)).toBe(-200n);
  });

  it('postDeductions books no entry for requests without cost', async () => {
    expect(foldCharges([charge({ costNanoUsd: 0n })])).toEqual([]);
    await deduct(charge({ costNanoUsd: 0n }));
    await deduct();
    expect(await entriesOf(one)).toEqual([]);
  });

  it('postDeductions announces no limit to the nodes, unlike recharges', async () => {
    const client = await database.pool.connect();
    const received: string[] = [];
    client.on('notification', ({ payload }) => received.push(payload ?? ''));
    await client.query('LISTEN sluice_changes');
    await deduct(charge());
    await book(draft());
    const { rows } = await client.query('SELECT id FROM allowances WHERE subject_id = $1', [one]);
    await expect.poll(() => received).toEqual([`allowances:${rows[0].id}`]);
    client.release(true);
  });
});

describe('refund', () => {
  const refundOf = (refundedEntryId: number, amount: bigint, tenantId = one) =>
    system.transaction((tx) => refund(tx, { ...draft({ tenantId, amount }), refundedEntryId }));
  const deducted = async () => {
    await deduct(charge({ costNanoUsd: 1_000n }));
    return (await entriesOf(one))[0]!.id;
  };

  it('refund returns part or all of a charge, and no more', async () => {
    const id = await deducted();
    expect(await refundOf(id, 400n)).toMatchObject({
      kind: 'refund',
      refundedEntryId: id,
      balanceAfter: -600n,
    });
    await expect(refundOf(id, 601n)).rejects.toMatchObject({ name: 'RefundRefusedError', refundable: 600n });
    await refundOf(id, 600n);
    await expect(refundOf(id, 1n)).rejects.toMatchObject({ refundable: 0n });
    expect(await balanceOf(one)).toBe(0n);
  });

  it('refund never exceeds the charge for 50 concurrent calls', async () => {
    const id = await deducted();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => refundOf(id, 150n)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(RefundRefusedError);
    }
    expect(await balanceOf(one)).toBe(-100n);
  });

  it('refund rejects entries that are not charges, do not exist or belong to another tenant', async () => {
    const id = await deducted();
    const [recharge] = await book(draft({ amount: 5_000n }));
    const refunded = await refundOf(id, 1n);
    const attempts: [entryId: number, tenantId: number][] = [
      [recharge!.id, one],
      [refunded!.id, one],
      [999_999_999, one],
      [id, two],
    ];
    for (const [entryId, tenantId] of attempts) {
      await expect(refundOf(entryId, 1n, tenantId)).rejects.toMatchObject({ refundable: null });
    }
  });
});

describe('account', () => {
  it('readAccounts returns recharges, spending and the balance', async () => {
    await book(draft({ amount: 900n }), draft({ kind: 'bonus', amount: 100n }));
    await book(draft({ kind: 'penalty', amount: -30n }), draft({ kind: 'adjustment', amount: -20n }));
    await deduct(charge({ costNanoUsd: 300n }));
    const [deduction] = await entriesOf(one);
    await system.transaction((tx) =>
      refund(tx, { ...draft({ amount: 50n }), refundedEntryId: deduction!.id }),
    );
    expect(await readAccounts(system, one)).toEqual([
      {
        tenantId: one,
        balance: 700n,
        recharged: 1_000n,
        spent: 250n,
        refunded: 50n,
        lastEntryAt: expect.any(Date),
      },
    ]);
  });

  it('readAccounts returns zeros for an unused account', async () => {
    expect(await readAccounts(system, one)).toEqual([
      { tenantId: one, balance: 0n, recharged: 0n, spent: 0n, refunded: 0n, lastEntryAt: null },
    ]);
  });

  it('readEntries lists entries by kind and days, newest first', async () => {
    await book(draft(), draft({ kind: 'bonus' }), draft());
    const filter = { tenantId: one, kind: 'recharge' as const, days: 7 };
    expect(await countEntries(system, filter)).toBe(2);
    const entries = await readEntries(system, filter, { offset: 0, limit: 1 });
    expect(entries).toMatchObject([{ kind: 'recharge', balanceAfter: 3_000n }]);
  });
});

describe('ledger constraints', () => {
  it('the database rejects changes and deletions of ledger entries', async () => {
    await book(draft());
    for (const statement of ['UPDATE ledger_entries SET amount = 5', 'DELETE FROM ledger_entries']) {
      await expect(database.pool.query(statement)).rejects.toThrow('what was booked stays booked');
    }
  });

  it('the database rejects a balance that differs from its ledger, whichever of the two was changed', async () => {
    await book(draft());
    for (const statement of [
      `UPDATE allowances SET limit_amount = limit_amount + 5 WHERE subject_id = ${one}`,
      `UPDATE allowances SET settled = settled + 5 WHERE subject_id = ${one}`,
      `INSERT INTO ledger_entries (tenant_id, kind, amount, balance_before, balance_after, source, description)
       VALUES (${one}, 'bonus', 5, 1000, 1005, 'x', 'x')`,
    ]) {
      await expect(database.pool.query(statement)).rejects.toThrow(
        /has a balance of \d+ and a ledger of \d+/,
      );
    }
    expect(await balanceOf(one)).toBe(1_000n);
  });

  it('the database allows changes of leased amounts without a ledger entry', async () => {
    await book(draft());
    await database.pool.query('UPDATE allowances SET leased = 5 WHERE subject_id = $1', [one]);
  });

  it('the tenant role sees only its own entries and cannot write any', async () => {
    await book(draft(), draft({ tenantId: two }));
    const runInTenant = createRunInTenant(database.pool, postgresRequestLog.openTenant);
    const seen = await runInTenant(one, (tx) =>
      tx.execute<{ tenant_id: number }>('SELECT tenant_id FROM ledger_entries'),
    );
    expect(seen.rows).toEqual([{ tenant_id: one }]);
    const writing = runInTenant(one, (tx) => postEntries(tx, [draft()]));
    await expect(writing).rejects.toMatchObject({
      cause: { message: expect.stringContaining('permission denied') },
    });
    expect((await runInTenant(one, (tx) => readAccounts(tx))).map(({ tenantId }) => tenantId)).toEqual([one]);
  });

  it('findDrift compares balances with the sum of their entries', async () => {
    await book(draft());
    const client = await database.pool.connect();
    try {
      // The transaction is never committed, so the deferred check of the database does not run.
      await client.query('BEGIN');
      await client.query('UPDATE allowances SET settled = settled + 1 WHERE subject_id = $1', [one]);
      const drifted = [{ tenantId: one, balance: 999n, booked: 1_000n }];
      expect(await findDrift(drizzle({ client }), 'sum')).toEqual(drifted);
      expect(await findDrift(drizzle({ client }), 'last entry')).toEqual(drifted);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect(await findDrift(system, 'sum')).toEqual([]);
  });
});
