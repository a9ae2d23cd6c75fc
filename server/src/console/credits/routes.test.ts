import { randomUUIDv7 } from 'node:crypto';
import { billingRoutes, creditsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBillingHandlers } from '#console/billing/routes.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { postDeductions } from '#ledger/deductions.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createCreditsHandlers } from './routes.ts';

type As = ReturnType<ReturnType<typeof createTestConsole<typeof creditsRoutes>>>;

let database: TestDatabase;
let system: SystemDatabase;
let as: (principal: Principal) => As;
let operator: Principal;
let admin: Principal;
let stranger: Principal;
let names = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  const console = createTestConsole(database.pool, creditsRoutes, createCreditsHandlers({ system }));
  as = (principal) => console({ principal });
});
afterAll(() => database.close());

beforeEach(async () => {
  names++;
  const addOne = async (name: string, role: 'admin' | 'super_admin') =>
    addPerson(
      database.pool,
      await addTenant(database.pool, `${name} ${names}`),
      role,
      `${name}-${names}@x.test`,
    );
  operator = await addOne('operators', 'super_admin');
  admin = await addOne('one', 'admin');
  stranger = await addOne('two', 'admin');
});

const recharge = (amount: number, { userId } = admin) =>
  as(operator).rechargeTenantOfUser({
    params: { userId },
    body: { amount, description: 'paid by transfer' },
  });
const deduct = (costNanoUsd: bigint, { tenantId } = admin) =>
  system.transaction((tx) =>
    postDeductions(tx, [
      {
        requestId: randomUUIDv7(),
        tenantId,
        llmProviderId: 7,
        providerKey: 'openai',
        model: 'gpt-5',
        receivedAtMs: Date.now(),
        tokens: 42,
        costNanoUsd,
      },
    ]),
  );
const backdate = (days: number) =>
  database.pool.query(
    `ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_append_only;
     UPDATE ledger_entries SET created_at = now() - interval '${days} days' WHERE tenant_id = ${admin.tenantId};
     ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_append_only`,
  );
const transactionsOf = (principal: Principal, query: object = {}) =>
  as(principal).listCreditTransactions({ query });

describe('tenant balance', () => {
  it('getCreditBalance returns zeros for a new tenant', async () => {
    expect(await as(admin).getCreditBalance()).toEqual({
      current_balance: 0,
      lifetime_spent: 0,
      lifetime_recharged: 0,
      last_transaction_at: null,
      is_low_balance: true,
      is_zero_balance: true,
      low_balance_threshold: 10,
      service_spending_enabled: true,
    });
  });

  it("getCreditBalance returns the tenant's income, spending and balance to the nano-dollar", async () => {
    await recharge(50);
    await recharge(1000, stranger);
    await deduct(1n);
    const expected = {
      current_balance: 49.999999999,
      lifetime_spent: 0.000000001,
      lifetime_recharged: 50,
      last_transaction_at: expect.any(String),
      is_low_balance: false,
      is_zero_balance: false,
    };
    expect(await as(admin).getCreditBalance()).toMatchObject(expected);
    expect(await as(admin).getMyTenantBalance()).toMatchObject(expected);
  });

  it('checkCredits returns true for amounts up to the balance', async () => {
    await recharge(5);
    expect(await as(admin).checkCredits({ query: { amount: '5' } })).toEqual({
      has_sufficient_credits: true,
      current_balance: 5,
      required_amount: 5,
    });
    expect(await as(admin).checkCredits({ query: { amount: '5.01' } })).toMatchObject({
      has_sufficient_credits: false,
    });
  });

  it("getCreditBalance reports a low balance at or below the tenant's threshold", async () => {
    await recharge(5);
    expect(await as(admin).setLowBalanceThreshold({ body: { threshold: 4.99 } })).toEqual({
      low_balance_threshold: 4.99,
      service_spending_enabled: true,
    });
    expect(await as(admin).getCreditBalance()).toMatchObject({ is_low_balance: false });
    await as(admin).setLowBalanceThreshold({ body: { threshold: 5 } });
    expect(await as(admin).getCreditBalance()).toMatchObject({
      is_low_balance: true,
      is_zero_balance: false,
    });
    expect(await as(stranger).getCreditBalance()).toMatchObject({ low_balance_threshold: 10 });
  });

  it('setServiceSpending can turn off service-managed instances and notifies the nodes', async () => {
    const client = await database.pool.connect();
    const received: (string | undefined)[] = [];
    client.on('notification', ({ payload }) => received.push(payload));
    await client.query('LISTEN sluice_changes');
    const closed = await as(admin).setServiceSpending({ params: { flag: 'false' } });
    expect(closed).toMatchObject({ service_spending_enabled: false });
    await expect.poll(() => received).toEqual([`tenants:${admin.tenantId}`]);
    client.release(true);
    expect(await as(admin).setServiceSpending({ params: { flag: 'true' } })).toEqual({
      low_balance_threshold: 10,
      service_spending_enabled: true,
    });
  });
});

describe('recharge', () => {
  it('rechargeTenantOfUser returns the transaction with its reason and stores its author', async () => {
    const transaction = await recharge(25.5);
    expect(transaction).toEqual({
      id: expect.any(Number),
      transaction_type: 'recharge',
      amount: 25.5,
      description: 'paid by transfer',
      created_at: expect.any(String),
      payment_method: null,
      payment_reference: null,
      provider_key: null,
      model_name: null,
      requests: null,
      tokens_used: null,
      original_transaction_id: null,
      balance_before: 0,
      balance_after: 25.5,
    });
    const { rows } = await database.pool.query(
      'SELECT tenant_id, actor_id FROM ledger_entries WHERE id = $1',
      [transaction.id],
    );
    expect(rows).toEqual([{ tenant_id: admin.tenantId, actor_id: operator.userId }]);
  });

  it("rechargeCredits without a user recharges the operator's own tenant", async () => {
    await as(operator).rechargeCredits({ body: { amount: 3, description: 'for ourselves' } });
    expect(await as(operator).getCreditBalance()).toMatchObject({ current_balance: 3 });
    expect(await as(admin).getCreditBalance()).toMatchObject({ current_balance: 0 });
  });

  it.each([
    [{ amount: 0, description: 'x' }, 'Please enter a valid amount greater than 0'],
    [{ amount: 10_000.01, description: 'x' }, 'Maximum recharge amount is $10,000'],
    [{ amount: 5, description: '  ' }, 'A reason is required'],
    [{ amount: 5 }, 'A reason is required'],
  ])('rechargeCredits rejects %j', async (body, problem) => {
    const attempt = as(operator).rechargeCredits({ body: body as { amount: number; description: string } });
    await expect(attempt).rejects.toThrow(problem);
  });

  it('rechargeTenantOfUser returns 404 for an unknown user', async () => {
    const attempt = recharge(5, { ...admin, userId: 999_999 });
    await expect(attempt).rejects.toMatchObject({ status: 404, detail: 'User not found' });
  });
});

describe('refund', () => {
  const refund = (query: object, { userId } = admin) =>
    as(operator).refundTenantOfUser({
      params: { userId },
      query: { amount: 1, description: 'the provider failed', ...query },
    });

  it('refundTenantOfUser refunds a charge up to its amount', async () => {
    await recharge(10);
    await deduct(2_000_000_000n);
    const [charge] = await transactionsOf(admin);
    const original_transaction_id = charge!.id;
    expect(await refund({ amount: '1.5', original_transaction_id })).toMatchObject({
      transaction_type: 'refund',
      amount: 1.5,
      original_transaction_id,
      balance_after: 9.5,
    });
    await expect(refund({ original_transaction_id })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['query', 'amount'], msg: 'Only $0.5 of this transaction can still be refunded' }],
    });
    expect(await as(admin).getCreditBalance()).toMatchObject({ lifetime_spent: 0.5, current_balance: 9.5 });
  });

  it("refundTenantOfUser rejects recharges, unknown transactions and another tenant's charges", async () => {
    const { id } = await recharge(10);
    await deduct(1_000_000_000n, stranger);
    const [foreign] = await transactionsOf(stranger);
    for (const original_transaction_id of [id, 999_999_999, foreign!.id]) {
      await expect(refund({ original_transaction_id })).rejects.toMatchObject({
        status: 422,
        detail: [{ loc: ['query', 'original_transaction_id'] }],
      });
    }
    expect(await as(admin).getCreditBalance()).toMatchObject({ current_balance: 10 });
  });

  it('refundTenantOfUser without an original transaction adds credits with the given reason', async () => {
    expect(await refund({ amount: 2 })).toMatchObject({
      transaction_type: 'refund',
      amount: 2,
      description: 'the provider failed',
      original_transaction_id: null,
    });
    await expect(refund({ description: ' ' })).rejects.toThrow('A reason is required');
    // A refund without an original transaction does not reduce lifetime spending.
    expect(await as(admin).getCreditBalance()).toMatchObject({ lifetime_spent: 0, current_balance: 2 });
  });
});

describe('listCreditTransactions', () => {
  it('listCreditTransactions filters by type and days and pages from newest to oldest with the total', async () => {
    await recharge(1);
    await deduct(5n);
    await recharge(2);
    await recharge(7, stranger);
    let total: string | null = null;
    const list = async (query: object) => {
      const rows = await as(admin).listCreditTransactions(
        { query },
        { onHeaders: (headers) => (total = headers.get('x-total-count')) },
      );
      return rows.map(({ transaction_type, amount }) => [transaction_type, amount]);
    };
    expect(await list({})).toEqual([
      ['recharge', 2],
      ['deduction', 0.000000005],
      ['recharge', 1],
    ]);
    expect(total).toBe('3');
    expect(await list({ transaction_type: 'recharge', limit: '1', offset: '1', days: '7' })).toEqual([
      ['recharge', 1],
    ]);
    expect(total).toBe('2');
    expect(await as(admin).listMyTenantTransactions({ query: { limit: 1 } })).toMatchObject({
      transactions: [{ amount: 2 }],
    });
    await backdate(8);
    expect(await list({ days: '7' })).toEqual([]);
    expect(await list({ days: '9' })).toHaveLength(3);
  });

  it('listCreditTransactions returns the request of a deduction', async () => {
    await deduct(7n);
    expect(await transactionsOf(admin, { transaction_type: 'deduction' })).toMatchObject([
      { provider_key: 'openai', model_name: 'gpt-5', requests: 1, tokens_used: 42 },
    ]);
  });
});

describe('credit usage', () => {
  const addLog = (
    columns: Record<string, string | number | boolean>,
    { tenantId } = admin,
    at = Date.now(),
  ) => {
    const row = {
      tenant_id: tenantId,
      protocol: 'openai-chat',
      operation: 'chat',
      status: 'success',
      http_status: 200,
      is_stream: false,
      attempts: 1,
      response_time_ms: 1,
      usage_source: 'provider',
      ...columns,
    };
    const names = Object.keys(row);
    return database.pool.query(
      `INSERT INTO request_logs (id, received_at, ${names.join(', ')})
       VALUES (overlay(overlay(uuid_floor($1::timestamptz)::text placing '7' from 15) placing substr(gen_random_uuid()::text, 20) from 20)::uuid,
         $1, ${names.map((_, place) => `$${place + 2}`).join(', ')})`,
      [new Date(at).toISOString(), ...Object.values(row)],
    );
  };

  it("credit usage separates the tenant's own providers from its credits, within the given days", async () => {
    const dayMs = 86_400_000;
    const openai = { provider_key: 'openai', prompt_tokens: 10, completion_tokens: 5 };
    await addLog({ ...openai, cost_nano_usd: 2_000_000_000 });
    await addLog({ ...openai, cost_nano_usd: 1_000_000_000, is_service_managed: true });
    await addLog({ provider_key: 'groq', prompt_tokens: 1, cost_nano_usd: 4_000_000_000 });
    await addLog({ provider_key: 'groq', status: 'refused', prompt_tokens: 99 });
    await addLog({ ...openai, cost_nano_usd: 8_000_000_000 }, admin, Date.now() - 9 * dayMs);
    await addLog({ ...openai, cost_nano_usd: 9_000_000_000 }, stranger);
    expect(await as(admin).getCreditUsage({ query: { days: '7' } })).toEqual({
      days: 7,
      total_requests: 3,
      total_tokens: 31,
      user_llm_spend: 6,
      company_llm_spend: 1,
      total_spend: 7,
    });
    expect(await as(admin).getCreditUsage({ query: {} })).toMatchObject({ days: 30, total_spend: 15 });
    expect(await as(admin).getCreditUsageByProvider({ query: { days: 7 } })).toEqual([
      {
        provider_key: 'groq',
        provider_name: 'groq',
        total_requests: 1,
        total_tokens: 1,
        user_llm_spend: 4,
        company_llm_spend: 0,
        total_spend: 4,
      },
      {
        provider_key: 'openai',
        provider_name: 'openai',
        total_requests: 2,
        total_tokens: 30,
        user_llm_spend: 2,
        company_llm_spend: 1,
        total_spend: 3,
      },
    ]);
  });
});

describe('operator views of all tenants', () => {
  const billing = (principal: Principal) =>
    createTestConsole(database.pool, billingRoutes, createBillingHandlers({ system }))({ principal });

  it("operators see tenants with a low balance by the tenant's or a given threshold, with a contact", async () => {
    await recharge(11);
    await recharge(3, stranger);
    const lows = async (threshold?: number) =>
      (await as(operator).listLowBalanceUsers({ query: { threshold } })).filter(({ tenant_id }) =>
        [admin.tenantId, stranger.tenantId].includes(tenant_id),
      );
    expect(await lows()).toEqual([
      {
        tenant_id: stranger.tenantId,
        tenant_name: `two ${names}`,
        tenant_slug: `two ${names}`,
        user_id: stranger.userId,
        user_name: stranger.name,
        user_email: stranger.email,
        current_balance: 3,
        low_balance_threshold: 10,
        last_transaction_at: expect.any(String),
      },
    ]);
    expect((await lows(11)).map(({ current_balance }) => current_balance)).toEqual([3, 11]);
    expect(await lows(2)).toEqual([]);
  });

  it('operators see the total of all credits', async () => {
    const before = await as(operator).getCreditStatistics();
    await recharge(11);
    await deduct(1_000_000_000n);
    const after = await as(operator).getCreditStatistics();
    expect(after.total_tenants).toBe(before.total_tenants);
    expect(after.tenants_with_credits - before.tenants_with_credits).toBe(1);
    expect(after.total_recharged - before.total_recharged).toBeCloseTo(11, 6);
    expect(after.total_spent - before.total_spent).toBeCloseTo(1, 6);
    expect(after.total_balance - before.total_balance).toBeCloseTo(10, 6);
  });

  it('listBilledTenants returns a tenant with its users and balance', async () => {
    await recharge(11);
    const tenants = await billing(operator).listBilledTenants();
    expect(tenants.find(({ id }) => id === admin.tenantId)).toMatchObject({
      name: `one ${names}`,
      status: 'active',
      user_count: 1,
      current_balance: 11,
      is_low_balance: false,
    });
  });
});

describe('manual bookings by a super administrator', () => {
  const book = (transaction_type: 'bonus' | 'penalty' | 'adjustment', amount: number) =>
    as(operator).bookCreditTransaction({ body: { transaction_type, amount, description: 'by hand' } });

  it('a manual booking adds or deducts credits according to its type and records its reason', async () => {
    expect(await book('bonus', 25.5)).toMatchObject({
      amount: 25.5,
      balance_after: 25.5,
      description: 'by hand',
    });
    expect(await book('penalty', 5)).toMatchObject({ amount: 5, balance_before: 25.5, balance_after: 20.5 });
    expect(await book('adjustment', -0.5)).toMatchObject({ amount: -0.5, balance_after: 20 });
    expect(await book('adjustment', 1)).toMatchObject({ amount: 1, balance_after: 21 });
    expect(await as(operator).getCreditBalance()).toMatchObject({
      current_balance: 21,
      lifetime_recharged: 25.5,
    });
  });

  it('a manual booking above the available balance is rejected with that balance', async () => {
    await book('bonus', 3);
    for (const [type, amount] of [
      ['penalty', 3.01],
      ['adjustment', -3.01],
    ] as const)
      await expect(book(type, amount)).rejects.toMatchObject({
        status: 422,
        detail: [
          { loc: ['body', 'amount'], msg: 'The balance is $3, which is the most that can be deducted' },
        ],
      });
    const hold = (nanoUsd: number) =>
      database.pool.query("UPDATE allowances SET leased = $2 WHERE kind = 'credits' AND subject_id = $1", [
        operator.tenantId,
        nanoUsd,
      ]);
    await hold(1_000_000_000);
    await expect(book('penalty', 2.5)).rejects.toMatchObject({
      detail: [{ msg: expect.stringContaining('$1 is reserved for requests') }],
    });
    await hold(0);
    await book('penalty', 3);
    expect(await as(operator).getCreditBalance()).toMatchObject({ current_balance: 0 });
  });
});

describe('proveMyTenantBalance', () => {
  const prove = (query: object = {}, who = admin) => as(who).proveMyTenantBalance({ query });

  it('proveMyTenantBalance returns zeros before any booking', async () => {
    expect(await prove()).toMatchObject({
      opening_balance: 0,
      current_balance: 0,
      transactions: 0,
      is_verified: true,
    });
  });

  it('proveMyTenantBalance sums bookings of the last days or of all time, and reservations', async () => {
    await recharge(20);
    await deduct(4_500_000_000n);
    const params = { userId: admin.userId };
    await as(operator).refundTenantOfUser({ params, query: { amount: 0.5, description: 'goodwill' } });
    const ofAccount = "kind = 'credits' AND subject_id = $1";
    await database.pool.query(`UPDATE allowances SET leased = 2000000000 WHERE ${ofAccount}`, [
      admin.tenantId,
    ]);
    const sums = { recharges: 20, deductions: 4.5, refunds: 0.5, bonuses: 0, penalties: 0, adjustments: 0 };
    expect(await prove()).toMatchObject({
      ...sums,
      opened_at: null,
      opening_balance: 0,
      current_balance: 16,
      held: 2,
      available_balance: 14,
      transactions: 3,
      is_verified: true,
    });
    expect(await prove({ days: 7 })).toMatchObject({
      ...sums,
      opened_at: expect.any(String),
      is_verified: true,
    });
    expect(await prove({}, stranger)).toMatchObject({ current_balance: 0, transactions: 0 });
  });

  it('proveMyTenantBalance starts with the balance before the given days', async () => {
    await recharge(20);
    await backdate(40);
    expect(await prove({ days: 30 })).toMatchObject({
      opening_balance: 20,
      recharges: 0,
      current_balance: 20,
      is_verified: true,
    });
    await recharge(5);
    expect(await prove({ days: 30 })).toMatchObject({
      opening_balance: 20,
      recharges: 5,
      current_balance: 25,
      is_verified: true,
    });
  });

  it('proveMyTenantBalance reports an account that does not match its ledger', async () => {
    await recharge(20);
    await database.pool.query(
      `ALTER TABLE allowances DISABLE TRIGGER allowances_prove_credits;
       UPDATE allowances SET settled = 1 WHERE kind = 'credits' AND subject_id = ${admin.tenantId};
       ALTER TABLE allowances ENABLE TRIGGER allowances_prove_credits`,
    );
    expect(await prove()).toMatchObject({ is_verified: false });
  });
});
