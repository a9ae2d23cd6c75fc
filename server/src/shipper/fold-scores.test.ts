import { randomUUIDv7 } from 'node:crypto';
import { type DeviationPolicy, defaultDeviationPolicy } from '@sluice/contract';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { foldEvents, startState } from '#domain/deviation/fold.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { createLogger } from '#platform/logger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { createShipRequests } from './ship-requests.ts';

let database: TestDatabase;
let tenantId: number;
let userId: number;
beforeEach(async () => {
  database = await createTestDatabase();
  const { rows } = await database.pool.query(
    "INSERT INTO tenants (name, slug) VALUES ('T', 't') RETURNING id",
  );
  tenantId = rows[0].id;
  await addPerson(2);
  userId = await addPerson();
});
afterEach(() => database.close());

const log = createLogger('silent', { write: () => undefined });
const startMs = Date.parse('2026-11-20T10:00:00Z');

async function addPerson(roleId = 3): Promise<number> {
  const { rows } = await database.pool.query(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
     VALUES ($1, $2, gen_random_uuid() || '@b.c', 'A', 'x') RETURNING id`,
    [tenantId, roleId],
  );
  return rows[0].id;
}

const ship = (records: RequestRecord[], pool = database.pool) =>
  createShipRequests({ pool, nodeSlot: 0, log })(records);

let count = 0;
const asked = (more: Partial<RequestRecord> = {}): RequestRecord =>
  createRecord({
    id: randomUUIDv7(),
    clientRequestId: null,
    receivedAtMs: startMs + 1_000 * count++,
    tenantId,
    userId,
    model: 'm',
    status: 'success',
    httpStatus: 200,
    attempts: 1,
    signals: { off_topic: 1 },
    ...more,
  });
const askedTimes = (times: number, more?: Partial<RequestRecord>) =>
  Array.from({ length: times }, () => asked(more));

async function readScore(id = userId): Promise<number> {
  const { rows } = await database.pool.query('SELECT deviation_score FROM users WHERE id = $1', [id]);
  return rows[0].deviation_score;
}

async function readChanges() {
  const { rows } = await database.pool.query(
    `SELECT user_score_before AS before, user_score_after AS after, deviation_score_delta AS delta,
       deviation_receipts AS receipts FROM request_logs ORDER BY received_at, user_score_before, id`,
  );
  return rows as { before: number; after: number; delta: number; receipts: { amount: number }[] | null }[];
}

async function setPolicy(policy: Partial<DeviationPolicy>): Promise<void> {
  await database.pool.query('UPDATE tenants SET deviation_policy = $2 WHERE id = $1', [
    tenantId,
    { ...defaultDeviationPolicy, ...policy },
  ]);
}

describe('foldScores', () => {
  it("shipped requests change the user's score, and each row records the change and its receipts", async () => {
    const [first, second] = [randomUUIDv7(), randomUUIDv7()].sort();
    const receivedAtMs = startMs;
    await ship([asked({ id: second!, receivedAtMs, signals: {} }), asked({ id: first!, receivedAtMs })]);
    expect(await readScore()).toBe(0.09);
    expect(await readChanges()).toEqual([
      {
        before: 0,
        after: 0.1,
        delta: 0.1,
        receipts: [{ name: 'off_topic', amount: 0.1, value: 1, weight: 1 }],
      },
      { before: 0.1, after: 0.09, delta: -0.01, receipts: [{ name: 'return', amount: -0.01 }] },
    ]);
  });

  it('a shipped request counts once, even if shipped again or in other batches', async () => {
    const [first, second] = [asked({ receivedAtMs: startMs }), asked({ receivedAtMs: startMs })];
    await ship([first, first]);
    await ship([first, second]);
    await Promise.all([ship([first, second]), ship([second])]);
    expect(await readScore()).toBe(0.19);
    expect((await readChanges()).map(({ before, after }) => [before, after])).toEqual([
      [0, 0.1],
      [0.1, 0.19],
    ]);
  });

  it('score updates from two nodes at the same time are all applied', async () => {
    const others = await Promise.all([addPerson(), addPerson(), addPerson()]);
    const people = [userId, ...others];
    const pools = [0, 1].map(() => new pg.Pool({ connectionString: database.connectionString, max: 1 }));
    await Promise.all(
      pools.map(async (pool, node) => {
        const order = node === 0 ? people : people.toReversed();
        for (let round = 0; round < 10; round++) {
          await ship(
            order.map((id) => asked({ userId: id, receivedAtMs: startMs })),
            pool,
          );
        }
      }),
    );
    await Promise.all(pools.map((pool) => pool.end()));
    const alone = foldEvents(
      startState,
      Array.from({ length: 20 }, (_, index) => ({
        id: `${index}`,
        atMs: startMs,
        values: { off_topic: 1 },
        repeats: 1,
        isRefused: false,
      })),
      defaultDeviationPolicy.weights,
    );
    for (const id of people) expect(await readScore(id)).toBe(alone.state.score);
  });

  it('requests without a prompt and requests rejected by a limit leave the score unchanged', async () => {
    await ship([
      asked({ signals: null }),
      asked({ status: 'refused', httpStatus: 429, errorCode: 'requests_per_hour_exceeded', repeats: 40 }),
      asked({ status: 'refused', httpStatus: 403, errorCode: 'account_blocked', signals: null }),
    ]);
    expect(await readScore()).toBe(0);
    expect((await readChanges()).map(({ receipts }) => receipts)).toEqual([null, null, null]);
  });

  it('a follow-up request leaves the score unchanged only if its prompt has been scored before', async () => {
    const ask = { kind: 'ask', hash: 'h' } as const;
    const followUp = { kind: 'follow-up', hash: 'h' } as const;
    await ship([asked({ asked: ask })]);
    await ship([asked({ asked: followUp }), asked({ asked: followUp })]);
    expect(await readScore()).toBe(0.1);
    expect((await readChanges()).map(({ receipts }) => receipts !== null)).toEqual([true, false, false]);
    await ship([asked({ asked: { ...followUp, hash: 'never asked' } })]);
    expect(await readScore()).toBeCloseTo(0.19, 5);
  });

  it('requests without text repeat the previous judgment and never lower the score', async () => {
    const silent = { asked: { kind: 'silent' }, signals: {} } as const;
    await ship([asked(silent)]);
    expect(await readScore()).toBe(0);
    await ship([asked({ asked: { kind: 'ask', hash: 'h' } }), asked(silent)]);
    expect(await readScore()).toBeCloseTo(0.19, 5);
    await ship([asked({ asked: { kind: 'ask', hash: 'i' }, signals: {} }), asked(silent)]);
    expect(await readScore()).toBeCloseTo(0.171, 5);
  });

  it('requests rejected as forbidden count once per attempt', async () => {
    const refused = {
      status: 'refused',
      httpStatus: 403,
      errorCode: 'scope_missing',
      signals: null,
    } as const;
    await ship([asked({ ...refused, repeats: 1 }), asked({ ...refused, repeats: 3 })]);
    expect(await readScore()).toBeCloseTo(0.5 * (1 - 0.9 ** 4), 6);
  });
});

describe('blocking policy', () => {
  const readPeople = async () => {
    const { rows } = await database.pool.query(
      'SELECT id, is_blocked, blocked_by, blocked_reason, token_version FROM users ORDER BY id',
    );
    return rows;
  };
  const readEvents = async () =>
    (await database.pool.query('SELECT kind, user_id, request_id, actor_id FROM score_events ORDER BY id'))
      .rows;

  it('a user who crosses the threshold is blocked, with the reason and the request that caused it', async () => {
    await setPolicy({ mode: 'block' });
    const series = askedTimes(22);
    await ship(series);
    const [, person] = await readPeople();
    expect(person).toMatchObject({ is_blocked: true, blocked_by: null, token_version: 2 });
    expect(person.blocked_reason).toBe('the deviation score 0.90 has reached the threshold of 0.90');
    expect(await readEvents()).toEqual([
      { kind: 'block', user_id: userId, request_id: series[21]?.id, actor_id: null },
    ]);
  });

  it.each(['monitor', 'warn'] as const)('mode %s never blocks a user', async (mode) => {
    await setPolicy({ mode });
    await ship(askedTimes(40));
    expect((await readPeople()).every(({ is_blocked }) => !is_blocked)).toBe(true);
    expect(await readEvents()).toEqual([]);
  });

  it('the block-rate limit allows three blocks per hour in a small tenant and notifies only its administrators', async () => {
    await setPolicy({ mode: 'block' });
    const people = [userId, ...(await Promise.all(Array.from({ length: 5 }, () => addPerson())))];
    for (const id of people) await ship(askedTimes(23, { userId: id }));
    const { rows: banners } = await database.pool.query('SELECT audience, tenant_id FROM banners');
    expect((await readPeople()).filter(({ is_blocked }) => is_blocked)).toHaveLength(3);
    expect(banners).toEqual([{ audience: 'admin', tenant_id: tenantId }]);
    expect((await readEvents()).map(({ kind }) => kind).sort()).toEqual([
      'block',
      'block',
      'block',
      'spare',
      'spare',
      'spare',
    ]);
  });

  it('super administrators are never blocked automatically', async () => {
    await setPolicy({ mode: 'block', thresholds: { elevated: 0.0001, high: 0.0002, block: 0.0003 } });
    await addPerson(1);
    const operator = await addPerson(1);
    await ship([asked({ userId: operator }), asked()]);
    expect((await readPeople()).filter(({ is_blocked }) => is_blocked).map(({ id }) => id)).toEqual([userId]);
    expect((await readEvents()).map(({ kind, user_id }) => [kind, user_id])).toEqual([['block', userId]]);
    expect(await readScore(operator)).toBe(0.1);
  });

  it('the last administrator of a tenant is never blocked', async () => {
    await setPolicy({ mode: 'block' });
    const [administrator] = await readPeople();
    await ship(askedTimes(23, { userId: administrator.id }));
    const second = await addPerson(2);
    await ship(askedTimes(1, { userId: administrator.id }));
    const blocked = (await readPeople()).filter(({ is_blocked }) => is_blocked).map(({ id }) => id);
    expect(blocked).toEqual([administrator.id]);
    await ship(askedTimes(23, { userId: second }));
    expect((await readPeople()).find(({ id }) => id === second)).toMatchObject({ is_blocked: false });
  });

  it('an administrator is not blocked while the only other one is being deactivated', async () => {
    await setPolicy({ mode: 'block' });
    const [administrator] = await readPeople();
    const second = await addPerson(2);
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [tenantId]);
    await client.query('UPDATE users SET is_active = false WHERE id = $1', [second]);
    const shipping = ship(askedTimes(23, { userId: administrator.id }));
    let isShipped = false;
    void shipping.finally(() => {
      isShipped = true;
    });
    const waiting =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await expect.poll(async () => isShipped || (await database.pool.query(waiting)).rowCount).toBeTruthy();
    await client.query('COMMIT');
    client.release();
    await shipping;
    expect((await readPeople()).filter(({ is_blocked }) => is_blocked)).toEqual([]);
  });
});
