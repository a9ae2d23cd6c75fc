import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { addTenant } from '#test/console/console.ts';
import { startWorker, testKeyring, testSecret } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createSource, type SourceOfTest } from '#test/import/source.ts';
import { callCommand } from '#test/processes/run-command.ts';

const page = readFileSync(
  join(import.meta.dirname, '../../../../docs/operating/move-from-one-api.md'),
  'utf8',
);
const token = (end: number) => `sk-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghijk${end}`;
let database: TestDatabase;
let source: SourceOfTest;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query('INSERT INTO installation (secret_check) VALUES ($1)', [testKeyring.secretCheck]);
  await addTenant(database.pool, 'Acme');
  await syncRegistry(drizzle({ client: database.pool }));
  source = await createSource('one-api.sql');
  folder = mkdtempSync(join(tmpdir(), 'sluice-one-api-'));
});
afterEach(async () => {
  await source.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const run = (words: readonly string[]) =>
  callCommand(words, {
    DATABASE_URL: database.connectionString,
    SLUICE_SECRET: testSecret,
    SLUICE_DATA_DIR: folder,
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    PORT: '0',
  });
const runFrom = async (url: string, ...args: string[]) => {
  const { code, stderr, stdout } = await run(['import', 'one-api', '--database', url, '--json', ...args]);
  return { code, stderr, stdout, report: stdout === '' ? null : JSON.parse(stdout) };
};
const select = async (sql: string) => (await database.pool.query(sql)).rows;

it('the commands of docs/operating/move-from-one-api.md leave nothing to import, and enabled tokens keep working', async () => {
  const lines = [...page.matchAll(/^ +npx sluice (import .+)$/gm)].map(([, line = '']) => line.split(' '));
  const codes: number[] = [];
  for (const words of lines) {
    const { code, stderr } = await run(
      words.map((word) => (word.startsWith('postgresql:') ? source.url : word)),
    );
    expect(stderr).not.toContain('rror');
    codes.push(code);
  }
  expect(codes).toEqual([2, 0]);
  const again = await runFrom(source.url);
  expect([again.code, again.report.changes]).toEqual([0, 0]);
  const worker = await startWorker({ connectionString: database.connectionString });
  try {
    const list = async (key: string) => {
      const answer = await fetch(`${worker.origin}/v1/models`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const body = (await answer.json()) as { data?: { id: string }[] };
      return [answer.status, body.data?.map(({ id }) => id).sort()];
    };
    expect((await list(token(1)))[0]).toBe(200);
    expect((await list(token(3)))[0]).toBe(200);
    expect((await list(token(4)))[0]).toBe(401);
  } finally {
    await worker.close();
  }
});

it('import one-api imports quotas as budgets, groups as teams and priorities as order', async () => {
  const { code, report, stdout, stderr } = await runFrom(source.url);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error') });
  expect(stdout).not.toContain('provider-key');
  expect(
    await select(`SELECT u.name AS "user", k.name AS key, b.limit_amount::float8 / 1e9 AS limit, a.settled::float8 / 1e9 AS spent FROM budgets b
      LEFT JOIN users u ON u.id = b.user_id LEFT JOIN api_keys k ON k.id = b.api_key_id
      LEFT JOIN allowances a ON a.subject_id = b.id AND a.kind = 'usd_budget' ORDER BY b.id`),
  ).toEqual([
    { user: 'Cora', key: null, limit: 10, spent: 1 },
    { user: 'One API bot', key: null, limit: 2.5, spent: 0.5 },
    { user: null, key: 'laptop', limit: 2, spent: 0.2 },
  ]);
  expect(await select('SELECT name FROM teams ORDER BY name')).toEqual([
    { name: 'Group default' },
    { name: 'Group vip' },
  ]);
  expect(
    await select('SELECT provider_instance_name AS name FROM llm_providers ORDER BY fallback_position'),
  ).toEqual([{ name: 'First' }, { name: 'Main' }, { name: 'DeepSeek' }]);
  expect(report.kinds).toContainEqual({
    kind: 'API keys',
    created: 3,
    existing: 0,
    approximated: 0,
    not_carried: 2,
  });
});

it('import one-api reads an SQLite file', async () => {
  const path = join(folder, 'one-api.db');
  const file = new DatabaseSync(path);
  const sql = readFileSync(join(import.meta.dirname, '../../../test/import/one-api.sql'), 'utf8');
  file.exec(sql.replaceAll('bigserial', 'integer'));
  file.close();
  expect((await runFrom(path)).report.kinds).toContainEqual(
    expect.objectContaining({ kind: 'API keys', created: 3 }),
  );
});

it('import one-api explains that MySQL is not supported', async () => {
  const { code, stderr } = await runFrom('mysql://root@db/oneapi');
  expect([code, stderr]).toEqual([1, expect.stringContaining('pgloader')]);
});
