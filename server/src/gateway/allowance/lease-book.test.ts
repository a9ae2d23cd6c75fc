import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import {
  type Amounts,
  createLeaseNodes,
  type LeaseNode,
  type LeaseNodes,
  type Payers,
  request,
} from '#test/load/lease-nodes.ts';
import { LeaseBook } from './lease-book.ts';
import { createLeaseDatabase, type LeaseDatabase } from './lease-queries.ts';
import { LimitReached, LimitsUnavailable } from './limit-error.ts';

let database: TestDatabase;
let nodes: LeaseNodes;
let payers: Payers;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database, 'tenants', 'nodes');
  payers = await addPerson(database.pool, await addTenant(database.pool, 'T'), 'user', 'u@t.test');
  nodes = await createLeaseNodes({ database });
});
afterEach(() => nodes.close());

interface Quotas {
  requests_per_hour?: number | null;
  daily_quota?: number | null;
  monthly_quota?: number | null;
}

async function setQuotas(quotas: Quotas): Promise<void> {
  const sets = Object.keys(quotas).map((column, index) => `${column} = $${index + 2}`);
  await database.pool.query(`UPDATE users SET ${sets.join(', ')} WHERE id = $1`, [
    payers.userId,
    ...Object.values(quotas),
  ]);
}

async function readAllowance(kind: string) {
  const { rows } = await database.pool.query(
    `SELECT limit_amount::float8 AS "limit", settled::float8, leased::float8,
       (SELECT coalesce(sum(granted - returned - spent), 0)::float8 FROM leases WHERE allowance_id = a.id AND NOT is_reaped) AS held
     FROM allowances a WHERE kind = $1`,
    [kind],
  );
  return rows[0];
}

async function connectClient(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

async function countLockWaits(): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS waits FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
  return rows[0].waits;
}

async function countAdmitted(node: LeaseNode, count: number, amounts: Amounts = { requests_per_hour: 1 }) {
  const results = await Promise.allSettled(Array.from({ length: count }, () => node.take(amounts)));
  for (const result of results) {
    if (result.status === 'rejected' && !(result.reason instanceof LimitReached)) throw result.reason;
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
}

async function pollFor<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const result = await attempt().catch((error: unknown) => {
      if (!(error instanceof LimitsUnavailable)) throw error;
      return null;
    });
    if (result !== null) return result;
    await pause(20);
  }
}

describe('LeaseBook on one node', () => {
  it('LeaseBook admits exactly as many requests as the limit allows', async () => {
    await setQuotas({ requests_per_hour: 30 });
    const node = await nodes.add(payers);
    expect(await countAdmitted(node, 100)).toBe(30);
    expect(await countAdmitted(node, 1)).toBe(0);
    expect(await readAllowance('requests_per_hour')).toEqual({ limit: 30, settled: 0, leased: 30, held: 30 });
  });

  it('LeaseBook sends one statement for all requests of an event-loop turn', async () => {
    await setQuotas({ requests_per_hour: 1_000_000, daily_quota: 1_000_000 });
    const node = await nodes.add(payers);
    await countAdmitted(node, 100, { requests_per_hour: 1, tokens_per_day: 5 });
    expect(node.statements).toBe(1);
  });

  it('LeaseBook sends no statement while its slices suffice', async () => {
    await setQuotas({ requests_per_hour: 1_000_000 });
    const node = await nodes.add(payers);
    await node.take({ requests_per_hour: 1 });
    const { statements } = node;
    expect(node.book.admit(...request({ requests_per_hour: 1 }, payers))).not.toBeInstanceOf(Promise);
    expect(node.statements).toBe(statements);
  });

  it('LeaseBook requests the next slice while the current one still admits requests', async () => {
    await setQuotas({ requests_per_hour: 1_000_000 });
    const node = await nodes.add(payers);
    await node.take({ requests_per_hour: 1 });
    for (let count = 0; count < 500; count++) {
      expect(node.book.admit(...request({ requests_per_hour: 1 }, payers))).not.toBeInstanceOf(Promise);
      await node.book.whenQuiet();
    }
    expect(node.statements).toBeLessThan(10);
  });

  it('LeaseBook sends at most two statements per request near the end of an allowance, and admits exactly the rest', async () => {
    await setQuotas({ requests_per_hour: 19 + 32 });
    const node = await nodes.add(payers);
    await node.take({ requests_per_hour: 32 });
    const { statements } = node;
    for (let count = 0; count < 10; count++) {
      await node.take({ requests_per_hour: 1 });
      await node.book.whenQuiet();
    }
    expect(node.statements - statements).toBeLessThanOrEqual(20);
    expect(await countAdmitted(node, 20)).toBe(9);
  });

  it('LeaseBook takes from all allowances of a request or from none', async () => {
    await setQuotas({ requests_per_hour: 50, daily_quota: 100, monthly_quota: 1_000 });
    const node = await nodes.add(payers);
    const wanted = { requests_per_hour: 1, tokens_per_month: 30, tokens_per_day: 30 };
    expect(await countAdmitted(node, 10, wanted)).toBe(3);
    const hold = node.take({ requests_per_hour: 47 });
    await expect(hold).resolves.toMatchObject({ hold: { parts: [{ leased: 47 }] } });
    await expect(node.take({ tokens_per_month: 910 })).resolves.toBeDefined();
  });

  it('LimitReached names the limit, the amount left and when it resets', async () => {
    await setQuotas({ requests_per_hour: 50, daily_quota: 100 });
    const node = await nodes.add(payers);
    const refused = node.take({ requests_per_hour: 1, tokens_per_day: 101 });
    await expect(refused).rejects.toMatchObject({
      facts: {
        ...{ kind: 'tokens_per_day', limit: 100, left: 100, amount: 101, isHeldInFlight: false },
        resetsAtMs: expect.toSatisfy((ms: number) => ms > Date.now() && ms <= Date.now() + 86_400_000),
      },
    });
    const hold = await node.take({ tokens_per_day: 60 });
    await expect(node.take({ tokens_per_day: 60 })).rejects.toMatchObject({
      facts: { left: 40, isHeldInFlight: true },
    });
    node.end(hold, { tokens_per_day: 10 });
    await expect(node.take({ tokens_per_day: 60 })).resolves.toBeDefined();
  });

  it.each([
    [0, 0],
    [null, 40],
  ])('LeaseBook with a limit of %s admits %i of 40 requests', async (limit, admitted) => {
    await setQuotas({ requests_per_hour: limit });
    const node = await nodes.add(payers);
    expect(await countAdmitted(node, 40)).toBe(admitted);
  });

  it('LeaseBook counts usage even if there is no limit', async () => {
    await setQuotas({ daily_quota: null });
    const node = await nodes.add(payers);
    node.end(await node.take({ tokens_per_day: 500 }), { tokens_per_day: 120 });
    node.end(await node.take({ tokens_per_day: 500 }), { tokens_per_day: 700 });
    await node.ship();
    expect(await readAllowance('tokens_per_day')).toEqual({ limit: null, settled: 820, leased: 0, held: 0 });
  });

  it('settle charges the amount used, even beyond the hold, and frees the rest', async () => {
    await setQuotas({ daily_quota: 100 });
    const node = await nodes.add(payers);
    node.end(await node.take({ tokens_per_day: 60 }), { tokens_per_day: 10 });
    node.end(await node.take({ tokens_per_day: 50 }), { tokens_per_day: 70 });
    node.end(await node.take({ tokens_per_day: 20 }), {});
    await node.ship();
    await expect(node.take({ tokens_per_day: 21 })).rejects.toMatchObject({ facts: { left: 20 } });
    await expect
      .poll(() => readAllowance('tokens_per_day'))
      .toMatchObject({ settled: 80, leased: 0, held: 0 });
  });

  it("LeaseBook enforces a task's token limit, which has no window", async () => {
    await database.pool.query(
      `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount) VALUES ($1, 'task_tokens', $2, '-infinity', 500)`,
      [payers.tenantId, payers.userId],
    );
    const node = await nodes.add(payers);
    node.end(await node.take({ task_tokens: 300 }), { task_tokens: 250 });
    await expect(node.take({ task_tokens: 251 })).rejects.toMatchObject({
      facts: { kind: 'task_tokens', limit: 500, left: 250, resetsAtMs: Number.POSITIVE_INFINITY },
    });
    await expect(node.take({ task_tokens: 250 })).resolves.toBeDefined();
  });

  it('LeaseBook rejects requests of a tenant that never received credits', async () => {
    const node = await nodes.add(payers);
    await expect(node.take({ credits: 5 })).rejects.toMatchObject({
      facts: { kind: 'credits', left: 0 },
    });
  });

  it('LeaseBook admits nothing after being offline for too long', async () => {
    await setQuotas({ requests_per_hour: 1_000 });
    const node = await nodes.add(payers);
    await node.take({ requests_per_hour: 1 });
    node.isLive = false;
    await expect(node.take({ requests_per_hour: 1 })).rejects.toThrow(LimitsUnavailable);
  });
});

describe('LimitReached', () => {
  it('LimitReached reports that requests of another node hold the rest only until they end', async () => {
    await setQuotas({ daily_quota: 100 });
    const [node, other] = [await nodes.add(payers), await nodes.add(payers)];
    const hold = await other.take({ tokens_per_day: 60 });
    await expect(node.take({ tokens_per_day: 50 })).rejects.toMatchObject({
      facts: { left: 40, isHeldInFlight: true },
    });
    // The request has ended but its row is not shipped yet. Its usage already counts.
    other.end(hold, { tokens_per_day: 60 });
    const refuse = () => node.take({ tokens_per_day: 50 }).catch(({ facts }: LimitReached) => facts);
    await expect
      .poll(refuse, { timeout: 3_000 })
      .toMatchObject({ limit: 100, left: 40, isHeldInFlight: false });
  });
});

describe('LeaseBook after an administrator changes a limit', () => {
  it.each([
    ['lowered', 1_000, 5, 5],
    ['raised', 5, 12, 12],
    ['lifted', 5, null, 50],
    ['set', null, 5, 5],
    ['set to 0', 1_000, 0, 0],
  ])('LeaseBook applies a limit that is %s on every node', async (_, before, after, admitted) => {
    await setQuotas({ requests_per_hour: before });
    const pair = [await nodes.add(payers), await nodes.add(payers)];
    for (const node of pair) node.end(await node.take({ requests_per_hour: 1 }), {});
    await setQuotas({ requests_per_hour: after });
    await nodes.heard();
    const counts = await Promise.all(pair.map((node) => countAdmitted(node, 25)));
    expect(counts[0]! + counts[1]!).toBe(admitted);
  });
});

describe('LeaseBook after a limit is raised while a response is in flight', () => {
  const startSlow = async (statement: 'open' | 'change') => {
    const leases = createLeaseDatabase(database.pool);
    const id = randomUUID();
    await leases.register(id, 60_000);
    const answered = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let isSlow = false;
    const holdBack = async <Answer>(name: string, answer: Answer): Promise<Answer> => {
      if (!isSlow || name !== statement) return answer;
      isSlow = false;
      answered.resolve();
      await held.promise;
      return answer;
    };
    const slow: LeaseDatabase = {
      ...leases,
      open: async (...call) => holdBack('open', await leases.open(...call)),
      change: async (...call) => holdBack('change', await leases.change(...call)),
    };
    const book = new LeaseBook(slow, { id, nowMs: Date.now, isLive: () => true });
    const take = async (amounts: Amounts) => book.admit(...request(amounts, payers));
    return {
      ...{ book, take, answered: answered.promise, letGo: held.resolve },
      slowDown() {
        isSlow = true;
      },
    };
  };
  const idOf = async (kind: string) =>
    (await database.pool.query('SELECT id FROM allowances WHERE kind = $1', [kind])).rows[0].id;

  it('LeaseBook ignores an outdated response, both for waiting and for later requests', async () => {
    await setQuotas({ requests_per_hour: 1 });
    const { book, take, answered, letGo, slowDown } = await startSlow('change');
    await take({ requests_per_hour: 1 });
    slowDown();
    const waiting = take({ requests_per_hour: 1 });
    await answered;
    await setQuotas({ requests_per_hour: 100 });
    book.onNotification(`allowances:${await idOf('requests_per_hour')}`);
    letGo();
    await expect(waiting).resolves.toBeDefined();
    await expect(take({ requests_per_hour: 1 })).resolves.toBeDefined();
  });

  it('LeaseBook ignores an outdated response that no credits exist once the first credits arrive', async () => {
    const { book, take, answered, letGo, slowDown } = await startSlow('open');
    slowDown();
    const waiting = take({ credits: 5 });
    await answered;
    await database.pool.query(
      `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount) VALUES ($1, 'credits', $1, '-infinity', 500)`,
      [payers.tenantId],
    );
    book.onNotification(`allowances:${await idOf('credits')}`);
    letGo();
    await expect(waiting).resolves.toBeDefined();
    await expect(take({ credits: 5 })).resolves.toBeDefined();
  });
});

describe('LeaseBook on several nodes', () => {
  it('three nodes together admit exactly 100 requests under a limit of 100', async () => {
    await setQuotas({ requests_per_hour: 100 });
    const three = [await nodes.add(payers), await nodes.add(payers), await nodes.add(payers)];
    const counts = await Promise.all(three.map((node) => countAdmitted(node, 333)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(100);
  });

  it('nodes recall amounts that another node leased in advance', async () => {
    await setQuotas({ daily_quota: 10_000 });
    const [one, two] = [await nodes.add(payers), await nodes.add(payers)];
    const hold = await one.take({ tokens_per_day: 10 });
    expect((await readAllowance('tokens_per_day')).leased).toBeGreaterThan(100);
    await expect(two.take({ tokens_per_day: 9_990 })).resolves.toBeDefined();
    one.end(hold, {});
    await expect(one.take({ tokens_per_day: 11 })).rejects.toThrow(LimitReached);
    await expect(one.take({ tokens_per_day: 10 })).resolves.toBeDefined();
  });

  it('a node recalls an amount that another node leased while its own statement waited', async () => {
    await setQuotas({ daily_quota: 900 });
    const [one, two] = [await nodes.add(payers), await nodes.add(payers)];
    two.end(await two.take({ tokens_per_day: 300 }), { tokens_per_day: 300 });
    await two.ship();
    await two.book.whenQuiet();
    await using client = await connectClient();
    await client.query('BEGIN');
    await client.query('UPDATE allowances SET leased = leased + 200');
    await client.query('UPDATE leases SET granted = granted + 200 WHERE node_id = $1', [two.id]);
    const taken = one.take({ tokens_per_day: 600 });
    await expect.poll(() => countLockWaits()).toBe(1);
    await client.query('COMMIT');
    await expect(taken).resolves.toBeDefined();
  });

  it('a node replies to a recall only after a later statement that settles its debt', async () => {
    await setQuotas({ daily_quota: 900 });
    const [one, two] = [await nodes.add(payers), await nodes.add(payers)];
    const answers = Promise.withResolvers<void>();
    const hold = await two.take({ tokens_per_day: 355 });
    two.answersAfter = answers.promise;
    two.end(hold, { tokens_per_day: 603 });
    await expect.poll(async () => (await readAllowance('tokens_per_day')).leased).toBe(603);
    await two.ship();
    const onNotification = vi.spyOn(two.book, 'onNotification');
    const taken = one.take({ tokens_per_day: 297 });
    await expect
      .poll(() => onNotification.mock.calls.map(String))
      .toContainEqual(expect.stringMatching(/^recall:/));
    answers.resolve();
    await expect(taken).resolves.toBeDefined();
  });

  it('a request recalls each of its allowances that another node has leased', async () => {
    await setQuotas({ requests_per_hour: 1_000, daily_quota: 10_000, monthly_quota: 10_000 });
    const [one, two] = [await nodes.add(payers), await nodes.add(payers)];
    two.end(await two.take({ requests_per_hour: 1, tokens_per_day: 10, tokens_per_month: 10 }), {});
    await two.book.whenQuiet();
    const all = { requests_per_hour: 1_000, tokens_per_day: 10_000, tokens_per_month: 10_000 };
    await expect(one.take(all)).resolves.toBeDefined();
  });

  it('nodes soon return unused amounts to the database', async () => {
    await setQuotas({ daily_quota: 100 });
    const [one, two] = [await nodes.add(payers), await nodes.add(payers)];
    one.end(await one.take({ tokens_per_day: 100 }), { tokens_per_day: 30 });
    await expect.poll(async () => (await readAllowance('tokens_per_day')).leased).toBe(30);
    await expect(two.take({ tokens_per_day: 70 })).resolves.toBeDefined();
  });
});

describe('LeaseBook while the database is unavailable', () => {
  it('LeaseBook admits requests from its leases and otherwise rejects with LimitsUnavailable, not LimitReached', async () => {
    await setQuotas({ requests_per_hour: 1_000 });
    const node = await nodes.add(payers);
    await node.take({ requests_per_hour: 1 });
    node.fault = 'refused';
    for (let count = 0; count < 20; count++) await node.take({ requests_per_hour: 1 });
    await expect(node.take({ requests_per_hour: 500 })).rejects.toThrow(LimitsUnavailable);
    // A synchronous throw shows that no attempt is made right after a failed one.
    expect(() => node.book.admit(...request({ requests_per_hour: 500 }, payers))).toThrow(LimitsUnavailable);
    await expect(node.take({ requests_per_hour: 1 })).resolves.toBeDefined();
    node.fault = 'none';
    await expect.poll(() => node.take({ requests_per_hour: 500 }).catch(() => null)).not.toBeNull();
  });

  it('LeaseBook neither loses nor duplicates amounts when a response never arrives', async () => {
    await setQuotas({ daily_quota: 1_000 });
    const node = await nodes.add(payers);
    const first = await node.take({ tokens_per_day: 10 });
    node.fault = 'answers-lost';
    await expect(node.take({ tokens_per_day: 900 })).rejects.toThrow(LimitsUnavailable);
    expect((await readAllowance('tokens_per_day')).leased).toBeGreaterThan(900);
    node.fault = 'none';
    node.book.sweep();
    const all = await pollFor(() => node.take({ tokens_per_day: 990 }));
    await expect(node.take({ tokens_per_day: 1 })).rejects.toThrow(LimitReached);
    node.end(first, { tokens_per_day: 10 });
    node.end(all, { tokens_per_day: 500 });
    await node.ship();
    await expect
      .poll(() => readAllowance('tokens_per_day'))
      .toMatchObject({ settled: 510, leased: 0, held: 0 });
  });
});

describe('LeaseBook windows', () => {
  it('leases expire with their window, and requests admitted in a window are settled in it', async () => {
    await nodes.close();
    let nowMs = Date.parse('2026-11-20T10:59:59Z');
    nodes = await createLeaseNodes({ database, nowMs: () => nowMs });
    await setQuotas({ requests_per_hour: 1_000, daily_quota: 1_000 });
    const node = await nodes.add(payers);
    const hold = await node.take({ requests_per_hour: 1 });
    nowMs = Date.parse('2026-11-20T11:00:00Z');
    await node.take({ requests_per_hour: 1 });
    node.end(hold, { requests_per_hour: 1 });
    await node.ship();
    const read = async () =>
      (
        await database.pool.query(
          'SELECT window_start AS start, settled::int, leased::int FROM allowances ORDER BY window_start',
        )
      ).rows;
    await expect
      .poll(read)
      .toMatchObject([{ start: new Date('2026-11-20T10:00:00Z'), settled: 1, leased: 0 }, { settled: 0 }]);
  });
});

describe('LeaseBook usage beyond a hold', () => {
  const holds = { tokens_per_day: 100 };
  const outcomeOf = async (node: LeaseNode, amount: number) =>
    pollFor(() => node.take({ tokens_per_day: amount })).then(
      () => 'admitted',
      (error: unknown) => (error instanceof LimitReached ? error.facts.left : error),
    );

  it.each([
    [1_000, 850, 50],
    [1_000, 2_500, 0],
    [100_000, 99_900, 0],
  ])('LeaseBook with a limit of %i immediately counts %i used beyond a hold', async (limit, beyond, left) => {
    await setQuotas({ daily_quota: limit });
    const node = await nodes.add(payers);
    node.end(await node.take(holds), { tokens_per_day: 100 + beyond });
    expect(await outcomeOf(node, 101)).toBe(left);
    await node.ship();
    expect(await outcomeOf(node, 101)).toBe(left);
    expect(await outcomeOf(node, left || 1)).toBe(left ? 'admitted' : 0);
  });

  it('LeaseBook counts usage beyond a hold for other nodes after its next statement', async () => {
    await setQuotas({ daily_quota: 1_000 });
    const [node, other] = [await nodes.add(payers), await nodes.add(payers)];
    node.end(await node.take(holds), { tokens_per_day: 900 });
    await node.book.whenQuiet();
    expect(await outcomeOf(other, 101)).toBe(100);
    await node.ship();
    expect(await outcomeOf(other, 101)).toBe(100);
    expect(await outcomeOf(other, 100)).toBe('admitted');
    expect(await readAllowance('tokens_per_day')).toMatchObject({ settled: 900 });
  });

  it('LeaseBook does not count usage beyond a hold twice once it is settled', async () => {
    await setQuotas({ daily_quota: 1_000 });
    const node = await nodes.add(payers);
    for (let round = 0; round < 3; round++) {
      node.end(await pollFor(() => node.take(holds)), { tokens_per_day: 250 });
      await node.ship();
    }
    expect(await outcomeOf(node, 251)).toBe(250);
    expect(await outcomeOf(node, 250)).toBe('admitted');
  });

  it('LeaseBook counts usage beyond a hold of a limit that is removed and set again', async () => {
    await setQuotas({ daily_quota: null });
    const node = await nodes.add(payers);
    node.end(await node.take(holds), { tokens_per_day: 900 });
    await setQuotas({ daily_quota: 1_000 });
    await nodes.heard();
    expect(await outcomeOf(node, 101)).toBe(100);
  });
});
