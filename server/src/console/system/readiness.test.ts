import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { signSessionToken } from '#platform/session-token.ts';
import { addPerson, addTenant } from '../../../test/console.ts';
import { startWorker, testKeyring } from '../../../test/console-server.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { startDatabaseProxy } from '../../../test/database-proxy.ts';

/** All that the console's pool has. */
const consoleConnections = 3;
const away = { detail: 'The database cannot be reached at the moment. Please retry.' };

/** A worker of its own for each test, with a network to its database that can fail, and an administrator's session. */
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
  /** Asks until the node answers `status`; resolves with when the last call was sent that got another answer. */
  const waitFor = async (path: string, status: number) => {
    const startedMs = performance.now();
    for (let lastMs = 0; ; await setTimeout(25)) {
      const sentMs = performance.now() - startedMs;
      if ((await ask(path)).status === status) return lastMs;
      lastMs = sentMs;
    }
  };
  /** Makes every reader of the logs wait until the lock is given up. */
  const lockLogs = async () => {
    const client = await database.pool.connect();
    await client.query('BEGIN; LOCK TABLE request_logs');
    return async () => {
      await client.query('ROLLBACK');
      client.release();
    };
  };
  /** Resolves once statements wait for a lock, `count` of them. */
  const untilLocked = async (count: number) => {
    const readWaiting = async () => {
      const { rows } = await database.pool.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows;
    };
    await expect.poll(readWaiting, { timeout: 10_000 }).toHaveLength(count);
  };
  const running = failed.move();
  const dispose = () => running.disposeAsync();
  return { database, proxy, ask, waitFor, lockLogs, untilLocked, [Symbol.asyncDispose]: dispose };
}

describe.concurrent('a database that is slow', () => {
  it('takes the node out of service for nobody, while screens wait for it', async () => {
    await using scene = await startScene();
    const { ask, lockLogs, untilLocked } = scene;
    const unlock = await lockLogs();
    const screens = Array.from({ length: 8 }, () => ask('/api/v1/admin/logs'));
    await untilLocked(consoleConnections);
    // The time is what is tested: a node is unready once its database has been silent for 2 s.
    await setTimeout(2_500);
    expect(await ask('/readyz')).toMatchObject({ status: 200 });
    await unlock();
    for (const screen of screens) expect((await screen).status).toBe(200);
  });

  it('is not waited for without end', async () => {
    await using scene = await startScene();
    const unlock = await scene.lockLogs();
    expect(await scene.ask('/api/v1/admin/logs')).toEqual({
      status: 503,
      body: {
        detail: 'Looking through the log took too long. Choose fewer days, or search for a longer text.',
      },
      retryAfter: '5',
    });
    await unlock();
  });
});

describe.concurrent.each(['freeze', 'cut'] as const)('a database that is gone (%s)', (fault) => {
  it('makes the node unready within 2 s, and its return ready again within 5 s', async () => {
    await using scene = await startScene();
    const { ask, proxy, waitFor } = scene;
    expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
    proxy[fault]();
    expect(await waitFor('/readyz', 503)).toBeLessThan(2_100);
    expect((await ask('/readyz')).body).toEqual({ detail: 'The database cannot be reached.' });
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    proxy.restore();
    expect(await waitFor('/readyz', 200)).toBeLessThan(5_000);
    expect(await ask('/api/v1/auth/me')).toMatchObject({ status: 200 });
  });

  it('is a 503 with a time to retry in the console, not for the gate, and never a word against a good token', async () => {
    await using scene = await startScene();
    const { ask, proxy, waitFor } = scene;
    await ask('/api/v1/auth/me');
    proxy[fault]();
    const inFlight = ask('/api/v1/auth/me');
    await waitFor('/readyz', 503);
    expect(await ask('/api/v1/models')).toMatchObject({ status: 200 });
    const startedMs = performance.now();
    expect(await ask('/api/v1/auth/me')).toEqual({ status: 503, body: away, retryAfter: '1' });
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(await inFlight).toEqual({ status: 503, body: away, retryAfter: '1' });
  });

  it('is listened to again after its return', async () => {
    await using scene = await startScene();
    scene.proxy[fault]();
    await scene.waitFor('/readyz', 503);
    scene.proxy.restore();
    const countListeners = async () => {
      const { rows } = await scene.database.pool.query(
        `SELECT count(*)::integer AS total FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'sluice-changes' AND query = 'SELECT 1'`,
      );
      return rows[0].total;
    };
    const wanted = (await countListeners()) + 1;
    while ((await countListeners()) < wanted) await setTimeout(50);
  });
});

it.concurrent('a connection that breaks under a statement fails that request and nothing else', async () => {
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
