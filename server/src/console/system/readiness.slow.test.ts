import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { signSessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { startWorker, testKeyring } from '#test/console/console-server.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { onCluster } from '#test/database/database-cluster.ts';
import { startDatabaseProxy } from '#test/database/database-proxy.ts';

/** Maximum number of connections for one user, of the three connections of the console. */
const connectionsOfUser = 2;
const away = { detail: 'The database cannot be reached at the moment. Please retry.' };

/**
 * Starts a worker and signs in an administrator. The worker's network connection to its database can be interrupted.
 */
async function startScene() {
  await using failed = new AsyncDisposableStack();
  const database = await createTestDatabase();
  failed.defer(database.close);
  const tenantId = await addTenant(database.pool, 'One');
  const { userId } = await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  const claims = { userId, sessionId: crypto.randomUUID(), tokenVersion: 1 };
  const token = await signSessionToken(testKeyring.sessionKey, claims, Date.now());
  const proxy = await startDatabaseProxy(database.connectionString);
  const worker = await startWorker({ connectionString: proxy.connectionString });
  failed.defer(worker.close);
  failed.defer(proxy.close);
  const ask = async (path: string) => {
    const response = await fetch(worker.origin + path, { headers: { authorization: `Bearer ${token}` } });
    const { status, headers } = response;
    return { status, body: await response.json(), retryAfter: headers.get('retry-after') };
  };
  const running = failed.move();
  return {
    database,
    proxy,
    ask,
    waitFor: waitWith(async (path, status) => (await ask(path)).status === status),
    /** Resolves when the ready node reports this degradation; `null` means none. */
    untilDegraded: (reason: string | null) =>
      waitWith(async (path) => {
        const { status, body } = await ask(path);
        return status === 200 && (readDegraded(body)?.reason ?? null) === reason;
      })('/readyz', 200),
    lockLogs: () => lockLogs(database.pool, running),
    untilLocked: (count: number) => untilLocked(database.pool, count),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

const degradedBody = z.object({ degraded: z.looseObject({ reason: z.string() }).nullish() });

const readDegraded = (body: unknown) => degradedBody.catch({}).parse(body).degraded;

type IsThere = (path: string, status: number) => Promise<boolean>;

/**
 * Polls until the expected response and resolves to the time of the last different response. Excludes delays of this
 * process, which also runs the worker, on a busy machine.
 */
const waitWith = (isThere: IsThere) => async (path: string, status: number) => {
  const startedMs = performance.now();
  let [lastMs, lateMs, dueMs] = [0, 0, startedMs];
  for (;;) {
    lateMs += Math.max(0, performance.now() - dueMs);
    const sentMs = performance.now() - startedMs - lateMs;
    if (await isThere(path, status)) return lastMs;
    lastMs = sentMs;
    dueMs = performance.now() + pollMs;
    await setTimeout(pollMs);
  }
};

const pollMs = 25;

async function timeConnection(connectionString: string): Promise<number> {
  const startedMs = performance.now();
  await onCluster(connectionString, 'SELECT 1');
  return performance.now() - startedMs;
}

async function lockLogs(pool: pg.Pool, running: AsyncDisposableStack) {
  const client = await pool.connect();
  await client.query('BEGIN; LOCK TABLE request_logs');
  let isHeld = true;
  const unlock = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('ROLLBACK');
    client.release();
  };
  running.defer(unlock);
  return unlock;
}

/**
 * Resolves when at least `count` statements are waiting for a lock. Jobs may also be waiting. Does not use
 * `expect.poll`, which does not support concurrent tests.
 */
async function untilLocked(pool: pg.Pool, count: number): Promise<void> {
  const readWaiting = () =>
    pool.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
  while ((await readWaiting()).rows.length < count) await setTimeout(25);
}

describe.concurrent('a slow database', () => {
  it('a slow database keeps the node ready while console requests wait', async () => {
    await using scene = await startScene();
    const { ask, lockLogs, untilLocked } = scene;
    const unlock = await lockLogs();
    const screens = Array.from({ length: 8 }, () => ask('/api/v1/admin/logs'));
    await untilLocked(connectionsOfUser);
    // Intentional delay: a node becomes unready if its database has not responded for 2 s.
    await setTimeout(2_500);
    expect(await ask('/readyz')).toMatchObject({ status: 200 });
    await unlock();
    for (const screen of screens) expect((await screen).status).toBe(200);
  });

  it('a log search in a slow database returns 503 with a retry time', async () => {
    await using scene = await startScene();
    const unlock = await scene.lockLogs();
    expect(await scene.ask('/api/v1/admin/logs')).toEqual({
      status: 503,
      body: {
        detail: 'The log search took too long. Choose fewer days, or search for a longer text.',
      },
      retryAfter: '5',
    });
    await unlock();
  });
});

describe.concurrent('a read-only database', () => {
  it('a read-only database degrades the node within 2 s, and the node recovers within 5 s without a restart', async () => {
    await using scene = await startScene();
    const { ask, database, untilDegraded } = scene;
    /** Sessions keep the default that applied when they started. */
    const setReadOnly = async (value: 'on' | 'off') => {
      await database.pool.query('SET default_transaction_read_only = off');
      await database.pool.query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database()); END $$`,
      );
      await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'sluice-%'`,
      );
    };
    await setReadOnly('on');
    const [degradedMs, connectedMs] = await Promise.all([
      untilDegraded('database_read_only'),
      timeConnection(database.connectionString),
    ]);
    expect(degradedMs - connectedMs).toBeLessThan(2_100);
    expect(await ask('/api/v1/auth/me')).toMatchObject({ status: 200 });
    await setReadOnly('off');
    expect(await untilDegraded(null)).toBeLessThan(5_000);
  });
});

describe.concurrent('a database that rejects connections', () => {
  it('/readyz reports a rejected database connection with a safe reason', async () => {
    await using scene = await startScene();
    const { ask, database } = scene;
    await database.pool.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 0', current_database()); END $$`,
    );
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'sluice-%'`,
    );
    const refused = { reason: 'database_unreachable', failure: 'too_many_connections' };
    await vi.waitFor(
      async () => expect(readDegraded((await ask('/readyz')).body)).toMatchObject(refused),
      10_000,
    );
  });
});

describe.concurrent.each(['freeze', 'cut'] as const)('an unavailable database (%s)', (fault) => {
  it('an unavailable database degrades the node within 2 s, and the node recovers within 5 s', async () => {
    await using scene = await startScene();
    const { ask, proxy, untilDegraded } = scene;
    expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ready', degraded: null } });
    proxy[fault]();
    expect(await untilDegraded('database_unreachable')).toBeLessThan(2_100);
    expect(await ask('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', degraded: { detail: 'The database cannot be reached.' } },
    });
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    proxy.restore();
    expect(await untilDegraded(null)).toBeLessThan(5_000);
    expect(await ask('/api/v1/auth/me')).toMatchObject({ status: 200 });
  });

  it('an unavailable database causes a 503 with a retry time in the console only, and never a 401', async () => {
    await using scene = await startScene();
    const { ask, proxy, untilDegraded } = scene;
    await ask('/api/v1/auth/me');
    proxy[fault]();
    const inFlight = ask('/api/v1/auth/me');
    await untilDegraded('database_unreachable');
    expect(await ask('/api/v1/models')).toMatchObject({ status: 200 });
    const startedMs = performance.now();
    expect(await ask('/api/v1/auth/me')).toEqual({ status: 503, body: away, retryAfter: '1' });
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(await inFlight).toEqual({ status: 503, body: away, retryAfter: '1' });
  });

  it('the listener for notifications reconnects after the database recovers', async () => {
    await using scene = await startScene();
    const listListeners = async (): Promise<number[]> => {
      const { rows } = await scene.database.pool.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'sluice-changes' AND query LIKE 'SELECT %'`,
      );
      return rows.map(({ pid }) => pid);
    };
    const before = new Set(await listListeners());
    scene.proxy[fault]();
    await scene.untilDegraded('database_unreachable');
    scene.proxy.restore();
    while ((await listListeners()).every((pid) => before.has(pid))) await setTimeout(50);
  });
});

it.concurrent('a connection that breaks during a statement fails only that request', async () => {
  await using scene = await startScene();
  const { ask, lockLogs, untilLocked, proxy, waitFor } = scene;
  const unlock = await lockLogs();
  const screen = ask('/api/v1/admin/logs');
  await untilLocked(1);
  proxy.cut();
  expect(await screen).toEqual({ status: 503, body: away, retryAfter: '1' });
  proxy.restore();
  await unlock();
  await waitFor('/api/v1/admin/logs', 200);
});
