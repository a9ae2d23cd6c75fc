import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkReplica } from '#cli/doctor/check-replica.ts';
import { getUsageFigures } from '#console/analytics/get-usage-figures.ts';
import { getLog, listLogs } from '#console/logs/read.ts';
import { migrate } from '#db/migrate.ts';
import { createPool } from '#db/pool.ts';
import { createRunInTenant, type LogTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#test/database/database-proxy.ts';
import {
  findPostgresBinaries,
  type OutsidePostgres,
  type Standby,
  startOutsidePostgres,
  startStandby,
} from '#test/database/outside-postgres.ts';
import { Replica, type ReplicaOptions } from './replica.ts';
import { unreachablePosition } from './wal-position.ts';

const [binDir] = findPostgresBinaries();
const title = `a read replica${binDir ? '' : ' (skipped: no PostgreSQL is installed)'}`;

const urlOf = ({ port }: OutsidePostgres, database = 'sluice') =>
  `postgresql://admin@127.0.0.1:${port}/${database}`;

let primary: OutsidePostgres;
let standby: Standby;
let network: DatabaseProxy;
let pool: pg.Pool;
let onStandby: pg.Pool;
let admin: Principal;
let stranger: Principal;

async function start(): Promise<void> {
  const rules = ['host replication admin 127.0.0.1/32 trust', 'host sluice plain 127.0.0.1/32 trust'];
  primary = await startOutsidePostgres(binDir!, { rules });
  await primary.run('CREATE DATABASE sluice');
  await migrate(urlOf(primary), createLogger('silent'));
  standby = await startStandby(binDir!, primary);
  await standby.run('ALTER SYSTEM SET max_standby_streaming_delay = 0');
  await standby.run('SELECT pg_reload_conf()');
  network = await startDatabaseProxy(urlOf(standby));
  pool = createPool(urlOf(primary), 4, 'sluice-test');
  onStandby = createPool(urlOf(standby), 2, 'sluice-test');
  admin = await addPerson(pool, await addTenant(pool, 'One'), 'admin', 'admin@one.test');
  stranger = await addPerson(pool, await addTenant(pool, 'Two'), 'admin', 'admin@two.test');
}

async function stop(): Promise<void> {
  await Promise.all([pool.end(), onStandby.end()]);
  await network.close();
  await standby.stop();
  await primary.stop();
}

async function openReplica(given: Partial<ReplicaOptions> = {}): Promise<Replica> {
  const options = {
    connectionString: network.connectionString,
    primary: pool,
    connections: 3,
    lagMaxMs: 60_000,
  };
  const replica = new Replica({ ...options, log: null, probeEveryMs: 50, ...given });
  onTestFinished(() => replica.close());
  await replica.whenProbed();
  return replica;
}

function createReader(replica: Replica) {
  const run = createRunInTenant(pool, postgresRequestLog.openTenant, replica);
  return async <Result>(
    work: (tx: LogTransaction) => Promise<Result>,
    { after = null, by = admin }: { after?: string | null; by?: Principal } = {},
  ) => {
    const stale: Date[] = [];
    const actor = { userId: by.userId, action: 'listLogs', requestId: crypto.randomUUID(), address: '' };
    const result = await run(by.tenantId, work, actor, { after, onStale: (at) => stale.push(at) });
    return { result, stale };
  };
}

let added = 0;
async function addRequest({ tenantId, userId } = admin): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, model, status, http_status, is_stream, attempts,
       received_at, response_time_ms, usage_source)
     SELECT uuid_floor(now() + $3 * interval '1 ms'), $1, $2, 'openai', 'chat.completions', 'gpt-5', 'success', 200, false, 1, now(), 1, 'none'
     RETURNING id`,
    [tenantId, userId, added++],
  );
  const id = rows[0]!.id;
  await pool.query(
    `INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes) VALUES ($1, $2, 'question', 1, 1)`,
    [id, tenantId],
  );
  await pool.query(
    `INSERT INTO usage_rollups (bucket_start, node_slot, tenant_id, user_id, model, requests) VALUES (date_trunc('hour', now()), $3, $1, $2, 'gpt-5', 1)`,
    [tenantId, userId, added],
  );
  return id;
}

const readWhole = async (tx: LogTransaction, by = admin) => {
  const { body } = await listLogs(tx, by, { skip: 0, limit: 100 });
  const logs = Array.isArray(body) ? body : body.logs;
  const { total_requests: requests } = await getUsageFigures(tx.reports, by, { days: 2 });
  return { ids: logs.map(({ id }) => id), requests };
};

async function whenReplayed(): Promise<void> {
  // Write another record, because the position after a record may be the start of the next page.
  await pool.query("SELECT pg_logical_emit_message(true, 'sluice-test', '')");
  const { rows } = await pool.query('SELECT pg_current_wal_flush_lsn()::text AS lsn');
  const isReplayed = async () =>
    (await onStandby.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS is', [rows[0].lsn])).rows[0].is;
  await expect.poll(isReplayed).toBe(true);
}

async function pauseReplay(): Promise<void> {
  await whenReplayed();
  await standby.run('SELECT pg_wal_replay_pause()');
  const state = async () =>
    (await onStandby.query('SELECT pg_get_wal_replay_pause_state() AS state')).rows[0].state;
  await expect.poll(state).toBe('paused');
  onTestFinished(() => standby.run('SELECT pg_wal_replay_resume()'));
}

describe.skipIf(!binDir)(title, () => {
  beforeAll(start);
  afterAll(stop);
  beforeEach(async () => {
    await pool.query('TRUNCATE request_logs, request_log_bodies, usage_rollups, usage_days');
  });

  it('lists and analytics are read from the standby, and reads of prompts are recorded on the primary', async () => {
    const read = createReader(await openReplica());
    const old = await addRequest();
    await pauseReplay();
    const recent = await addRequest();
    expect((await read(readWhole)).result).toEqual({ ids: [old], requests: 1 });
    const { rows } = await onStandby.query(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'sluice-replica'",
    );
    expect(rows[0].count).toBe(1);
    await standby.run('SELECT pg_wal_replay_resume()');
    await whenReplayed();
    expect((await read(readWhole)).result).toEqual({ ids: [recent, old], requests: 2 });
    const other = { ...admin, userId: (await addPerson(pool, admin.tenantId, 'admin', 'b@one.test')).userId };
    await whenReplayed();
    await read((tx) => getLog(tx, other, old), { by: other });
    const recorded = await pool.query(
      "SELECT FROM audit_entries WHERE object_type = 'prompt' AND object_id = $1 AND actor_id = $2",
      [old, other.userId],
    );
    expect(recorded.rows).toHaveLength(1);
  });

  it('a read after a change returns the change, and a read with a forged position uses the primary', async () => {
    const replica = await openReplica();
    const read = createReader(replica);
    await addRequest();
    await pauseReplay();
    await addRequest();
    await pool.query(`UPDATE users SET name = 'Renamed' WHERE id = $1`, [admin.userId]);
    const own = await replica.readWritePosition();
    const names = async (after: string | null) => {
      const { result } = await read((tx) => listLogs(tx, admin, { skip: 0, limit: 9 }), { after });
      return (result.body as { user_name: string }[]).map(({ user_name: name }) => name);
    };
    expect(await names(null)).toEqual(['admin']);
    for (const position of [own, unreachablePosition, '0', "'; DROP TABLE users; --"])
      expect(await names(position)).toEqual(['Renamed', 'Renamed']);
    expect(replica.outcomes.get('not_replayed')).toBe(4);
    await standby.run('SELECT pg_wal_replay_resume()');
    await whenReplayed();
    const before = replica.outcomes.get('replica') ?? 0;
    expect(await names(own)).toEqual(['Renamed', 'Renamed']);
    expect(replica.outcomes.get('replica')).toBe(before + 1);
    await pool.query(`UPDATE users SET name = 'admin' WHERE id = $1`, [admin.userId]);
  });

  it('a single request is found before the replica has replayed it', async () => {
    const read = createReader(await openReplica());
    await pauseReplay();
    const id = await addRequest();
    expect((await read((tx) => getLog(tx, admin, id))).result.id).toBe(id);
    expect((await read((tx) => tx.requestLog.selectRows([id]))).result).toHaveLength(1);
    expect((await read((tx) => tx.requestLog.findBody(id))).result?.prompt).toBe('question');
  });

  it('reports run under the tenant role, read only rows of their tenant and cannot write', async () => {
    const read = createReader(await openReplica());
    const own = await addRequest();
    const foreign = await addRequest(stranger);
    await whenReplayed();
    expect((await read(readWhole)).result.ids).toEqual([own]);
    expect((await read((tx) => readWhole(tx, stranger), { by: stranger })).result.ids).toEqual([foreign]);
    const { result } = await read((tx) =>
      tx.reports.execute(
        sql`SELECT current_user AS role, current_setting('app.tenant') AS tenant, pg_is_in_recovery() AS standby,
          (SELECT array_agg(DISTINCT tenant_id) FROM request_logs) AS seen, current_setting('statement_timeout') AS timeout`,
      ),
    );
    expect(result.rows).toEqual([
      {
        role: 'sluice_tenant',
        tenant: String(admin.tenantId),
        standby: true,
        seen: [admin.tenantId],
        timeout: '10s',
      },
    ]);
    const change = read((tx) => tx.reports.execute(sql`UPDATE users SET name = 'x'`));
    await expect(change).rejects.toMatchObject({ cause: { code: '25006' } });
    // Connections are returned to the pool without a tenant or role. The view shows connection states with a delay.
    const listOpen = async () =>
      (
        await onStandby.query(
          "SELECT state FROM pg_stat_activity WHERE application_name = 'sluice-replica' AND state LIKE 'idle in transaction%'",
        )
      ).rows;
    await expect.poll(listOpen).toEqual([]);
  });

  it('the time limit of a search applies on the replica, and a timed-out search is not repeated on the primary', async () => {
    const replica = await openReplica();
    const read = createReader(replica);
    const slow = read(async (tx) => {
      await tx.requestLog.limitTime(50);
      await tx.reports.execute(sql`SELECT pg_sleep(5)`);
    });
    await expect(slow).rejects.toMatchObject({ cause: { code: '57014' } });
    expect(replica.outcomes.get('replica')).toBe(1);
    expect(replica.outcomes.get('failed')).toBeUndefined();
  });

  it('reports are read from the primary while the lag exceeds the maximum, until the replica has caught up', async () => {
    const replica = await openReplica({ lagMaxMs: 3_000, staleMs: 300 });
    const read = createReader(replica);
    await pauseReplay();
    const id = await addRequest();
    const pausedMs = Date.now();
    const readStale = async () => (await read(readWhole)).stale[0]?.getTime();
    await expect.poll(readStale, { interval: 20 }).toBeGreaterThan(pausedMs - 5_000);
    await expect.poll(() => replica.status.state).toBe('behind');
    expect(replica.status.problem).toContain('more than the 3 s of DATABASE_READ_MAX_LAG');
    expect(replica.status.lagMs).toBeGreaterThan(3_000);
    expect(await read(readWhole)).toEqual({ result: { ids: [id], requests: 1 }, stale: [] });
    await standby.run('SELECT pg_wal_replay_resume()');
    await expect.poll(() => replica.status).toMatchObject({ state: 'in_use', problem: null });
    expect(replica.status.lagMs).toBeLessThan(3_000);
  });

  it('the replica stays in use while the primary is idle for longer than the maximum lag', async () => {
    const replica = await openReplica({ lagMaxMs: 1_000 });
    await whenReplayed();
    const startedMs = Date.now();
    await expect
      .poll(() => {
        expect(replica.status.state).toBe('in_use');
        return Date.now() - startedMs;
      })
      .toBeGreaterThan(2_500);
  });

  it.each(['cut', 'freeze'] as const)(
    'reads use the primary during a network %s, and the replica afterwards',
    async (fault) => {
      const replica = await openReplica();
      const read = createReader(replica);
      const id = await addRequest();
      await whenReplayed();
      await expect.poll(async () => (await read(readWhole)).result.ids).toEqual([id]);
      const isOnStandby = (tx: LogTransaction) =>
        tx.reports.execute<{ is: boolean }>(
          sql`SELECT pg_is_in_recovery() AS is FROM pg_sleep(CASE WHEN pg_is_in_recovery() THEN 8 ELSE 0 END)`,
        );
      onTestFinished(() =>
        standby.run(
          "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'sluice-replica'",
        ),
      );
      const running = read(isOnStandby);
      await whenActive();
      const startedMs = Date.now();
      network[fault]();
      expect((await running).result.rows).toEqual([{ is: false }]);
      expect(Date.now() - startedMs).toBeLessThan(6_000);
      await expect.poll(() => replica.status.state).toBe('away');
      expect(replica.status.problem).toMatch(/^It cannot be used: .*DATABASE_READ_URL/);
      const againMs = Date.now();
      expect((await read(readWhole)).result).toEqual({ ids: [id], requests: 1 });
      expect(Date.now() - againMs).toBeLessThan(500);
      network.restore();
      await expect.poll(() => replica.status.state).toBe('in_use');
      const { result } = await read((tx) => tx.reports.execute(sql`SELECT pg_is_in_recovery() AS is`));
      expect(result.rows).toEqual([{ is: true }]);
    },
  );

  it('a read that conflicts with recovery is repeated on the primary', async () => {
    const replica = await openReplica();
    const read = createReader(replica);
    const conflicting = read((tx) =>
      tx.reports.execute(
        sql`SELECT count(*)::int AS count, pg_is_in_recovery() AS standby FROM users
          WHERE NOT pg_is_in_recovery() OR pg_sleep(8) IS NOT NULL`,
      ),
    );
    await whenActive();
    await pool.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE; COMMIT');
    const { result } = await conflicting;
    expect(result.rows).toEqual([{ count: expect.any(Number), standby: false }]);
    expect(replica.outcomes.get('failed')).toBe(1);
    expect(replica.status.state).toBe('in_use');
  });

  it('a server that is not a standby of the primary is rejected', async () => {
    const ofPrimary = await openReplica({ connectionString: urlOf(primary) });
    expect(ofPrimary.status).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('is not a standby'),
    });
    const elsewhere = await openReplica({ connectionString: urlOf(standby, 'postgres') });
    expect(elsewhere.status).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('Set it to "sluice"'),
    });
    const read = createReader(ofPrimary);
    await addRequest();
    expect((await read(readWhole)).result.requests).toBe(1);
    expect(ofPrimary.outcomes.get('unavailable')).toBe(1);
  });

  it('a login that is not a member of the tenant role is rejected, and sluice doctor reports the reason', async () => {
    await primary.run("CREATE ROLE plain LOGIN PASSWORD 'plain'");
    await whenReplayed();
    const url = `postgresql://plain:plain@127.0.0.1:${standby.port}/sluice`;
    const problem = /permission denied to set role "sluice_tenant".*GRANT sluice_tenant/;
    expect((await openReplica({ connectionString: url })).status).toMatchObject({
      state: 'refused',
      problem: expect.stringMatching(problem),
    });
    const check = (found: string) => checkReplica({ url: found, lagMaxMs: 60_000 }, urlOf(primary));
    expect(await check(url)).toMatchObject({ state: 'fail', finding: expect.stringMatching(problem) });
    expect(await check(urlOf(standby))).toMatchObject({ state: 'ok' });
    expect(await check('postgresql://admin@127.0.0.1:1/sluice')).toMatchObject({
      state: 'warn',
      finding: expect.stringContaining('was refused'),
    });
  });

  it('a standby that was promoted is no longer read', async () => {
    const replica = await openReplica();
    const read = createReader(replica);
    await standby.promote();
    await expect.poll(() => replica.status.state).toBe('refused');
    const id = await addRequest();
    expect((await read(readWhole)).result.ids).toEqual([id]);
  });
});

async function whenActive(): Promise<void> {
  const active = async () => {
    const { rows } = await onStandby.query(
      "SELECT FROM pg_stat_activity WHERE application_name = 'sluice-replica' AND state = 'active'",
    );
    return rows.length;
  };
  await expect.poll(active, { interval: 20 }).toBe(1);
}
