import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, logsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import { addCaller, type Caller, callerKinds } from '#test/access/callers.ts';
import { createWorld, type World } from '#test/access/world.ts';
import { type RunningServer, startWorker } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { seedLog } from '../../../demo/seed-log.ts';
import { seedPeople } from '../../../demo/seed-people.ts';

const rowCount = 30_000;
let database: TestDatabase;
let world: World;
let worker: RunningServer;
let admin: Caller;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  world = await createWorld(database.pool);
  const kind = callerKinds.find(({ name }) => name === 'admin');
  if (kind) admin = await addCaller(world, kind);
  const client = await database.pool.connect();
  try {
    await seedPeople(client);
    await seedLog(client, { rows: rowCount, days: 3, bodyDays: 3, nowMs: Date.now() });
  } finally {
    client.release();
  }
  worker = await startWorker({ connectionString: database.connectionString });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

const headers = () => ({ authorization: admin.authorization ?? '' });
const ask = (path: string, signal?: AbortSignal) =>
  fetch(`${worker.origin}/api/v1/admin/${path}`, { headers: headers(), ...(signal && { signal }) });
const countRows = async (condition = 'true') =>
  (
    await database.pool.query(
      `SELECT count(*)::int FROM request_logs WHERE tenant_id = ${world.home.id} AND ${condition}`,
    )
  ).rows[0].count;

it('exportLogs contains each filtered row once, newest first, in a file named after the date', async () => {
  const answer = await ask('logs/export?format=jsonl&query=status:error');
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="sluice-logs-\d{4}-\d\d-\d\d\.jsonl"$/,
  );
  const rows = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(await countRows("status = 'error'"));
  expect(rows.length).toBeGreaterThan(250);
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
});

it('exportLogs defaults to CSV, which the typed client gets as a file, and is recorded in the audit log', async () => {
  const client = createClient(logsRoutes, { baseUrl: worker.origin, headers });
  const file = await client.exportLogs({ query: { status: 'refused' } });
  const text = await file.text();
  expect(text.split('\r\n')[0]).toMatch(/^﻿?id,timestamp,user_id,/);
  expect(text.split('\r\n')).toHaveLength((await countRows("status = 'refused'")) + 2);
  const { rows } = await database.pool.query(
    "SELECT action, object_id, after FROM audit_entries WHERE object_type = 'export' AND after->>'status' = 'refused' ORDER BY id",
  );
  const entry = { action: 'exportLogs', object_id: 'logs', after: { status: 'refused', format: 'csv' } };
  expect(rows).toEqual([
    entry,
    { ...entry, after: { ...entry.after, rows: await countRows("status = 'refused'"), is_complete: true } },
  ]);
});

it('exportLogs reports errors before the response starts', async () => {
  const answer = await ask('logs/export?query=stauts:error');
  expect([answer.status, await answer.json()]).toMatchObject([
    422,
    { detail: [{ loc: ['query', 'query'] }] },
  ]);
});

it("exportLogs reads at the client's speed, runs once per tenant, and ends when the client disconnects", async () => {
  const leaving = new AbortController();
  const first = await ask('logs/export', leaving.signal);
  expect(first.status).toBe(200);
  const other = await startWorker({ connectionString: database.connectionString });
  try {
    for (const { origin } of [worker, other]) {
      // Retry, because a worker that has just started may not be connected to its database yet.
      const second = await vi.waitUntil(async () => {
        const answer = await fetch(`${origin}/api/v1/admin/logs/export`, { headers: headers() });
        return answer.status === 503 ? null : answer;
      }, 30_000);
      expect([second.status, second.headers.get('retry-after'), await second.json()]).toEqual([
        429,
        '5',
        { detail: 'Another export of this tenant is in progress. Start the next one after it finishes.' },
      ]);
    }
  } finally {
    await other.close();
  }
  leaving.abort();
  await expect
    .poll(async () => {
      const again = await ask('logs/export?status=client_closed');
      await again.arrayBuffer();
      return again.status;
    })
    .toBe(200);
});

it('an export of a dead node blocks exportLogs for at most one minute', async () => {
  const claim = (seconds: number) =>
    database.pool.query(
      `INSERT INTO running_exports VALUES ($1, gen_random_uuid(), now() - make_interval(secs => $2))
       ON CONFLICT (tenant_id) DO UPDATE SET renewed_at = EXCLUDED.renewed_at`,
      [world.home.id, seconds],
    );
  const statusOf = async () => {
    const answer = await ask('logs/export?status=client_closed');
    await answer.arrayBuffer();
    return answer.status;
  };
  await claim(50);
  expect(await statusOf()).toBe(429);
  await claim(61);
  expect(await statusOf()).toBe(200);
  await expect.poll(async () => (await database.pool.query('SELECT FROM running_exports')).rowCount).toBe(0);
});

it('exportLogs of all rows increases memory use by less than 10 MB', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const usedBytes = () => {
    collect();
    const { external, heapUsed } = process.memoryUsage();
    return external + heapUsed;
  };
  const answer = await ask('logs/export?format=jsonl');
  const measureEachBytes = 4_000_000;
  const measured: number[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > measured.length * measureEachBytes) measured.push(usedBytes());
  }
  expect(bytes).toBeGreaterThan(20_000_000);
  expect(Math.max(...measured) - (measured[0] ?? 0)).toBeLessThan(10_000_000);
});

it('exportAuditEntries contains all entries that match the filter', async () => {
  const answer = await ask('audit-log/export?format=jsonl&object_type=export');
  const rows = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { rows: kept } = await database.pool.query(
    `SELECT count(*)::int FROM audit_entries WHERE tenant_id = ${world.home.id} AND object_type = 'export'`,
  );
  // The entry of this export's end is created after its rows are read.
  expect(rows).toHaveLength(kept[0].count - 1);
  expect(rows[0]).toMatchObject({
    object_type: 'export',
    object_id: 'audit-log',
    action: 'exportAuditEntries',
  });
});
