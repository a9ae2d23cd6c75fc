import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { testKeyring, testSecret } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { callCommand, fastStart, runCommand, untilProgress } from '#test/processes/run-command.ts';
import { createSluice } from '#test/processes/sluice-process.ts';

const log = createLogger('silent');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-backup-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('backup and restore of an installation', () => {
  it('restore copies the backup of a running installation into a new folder, where its users and keys keep working', {
    timeout: 240_000,
  }, async () => {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    const first = await createSluice({ SLUICE_DATA_DIR: from, SLUICE_WORKERS: '1' });
    const file = join(folder, 'drill.backup');
    let before = 0;
    try {
      await first.start();
      for (let count = 0; count < 20; count += 1)
        expect((await ask(first.origin, first.apiKey)).status).toBe(200);
      await grant(from);
      let isOver = false;
      const meanwhile = (async () => {
        for (before = 20; !isOver && before < 100; before += 1)
          expect((await ask(first.origin, first.apiKey)).status).toBe(200);
      })();
      const answer = await runCommand(['backup', file, '--with-secret', '--json'], { SLUICE_DATA_DIR: from });
      isOver = true;
      await meanwhile;
      expect(answer).toMatchObject({ code: 0 });
      expect(JSON.parse(answer.stdout)).toMatchObject({ path: file, has_secret: true });
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      await first.remove();
    }
    const restored = await runCommand(['restore', file, '--json'], { SLUICE_DATA_DIR: to });
    expect(restored).toMatchObject({ code: 0 });
    const second = await createSluice({ SLUICE_DATA_DIR: to, SLUICE_WORKERS: '1' });
    try {
      await second.start();
      expect((await ask(second.origin, first.apiKey)).status).toBe(200);
      const form = new URLSearchParams({ username: first.admin.email, password: first.admin.password });
      const session = await fetch(`${second.origin}/api/v1/auth/login`, { method: 'POST', body: form });
      expect(session.status).toBe(200);
      const { access_token } = (await session.json()) as { access_token: string };
      const headers = { authorization: `Bearer ${access_token}` };
      const proof = await fetch(`${second.origin}/api/v1/credits/my-tenant/proof`, { headers });
      expect(await proof.json()).toMatchObject({ is_verified: true, current_balance: 7 });
      const doctor = await callCommand(['doctor', '--json'], {
        SLUICE_DATA_DIR: to,
        PORT: new URL(second.origin).port,
      });
      expect(JSON.parse(doctor.stdout)).toMatchObject({ is_healthy: true });
      const tables = JSON.parse(restored.stdout).tables as { name: string; rows: number }[];
      expect(tables.find(({ name }) => name === 'request_logs')?.rows).toBeLessThanOrEqual(before);
      expect(tables.find(({ name }) => name === 'ledger_entries')?.rows).toBe(1);
    } finally {
      await second.remove();
    }
  });
});

async function grant(dataDir: string): Promise<void> {
  const answer = await callCommand(['credits', 'grant', 'default', '7', 'drill'], {
    SLUICE_DATA_DIR: dataDir,
  });
  expect(answer).toMatchObject({ code: 0 });
}

const ask = (origin: string, apiKey: string) =>
  fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-echo', messages: [{ role: 'user', content: 'Write a test' }] }),
  });

describe('backup and restore of an external database', () => {
  let source: TestDatabase;
  let file: string;
  const envOf = ({ connectionString }: TestDatabase) => ({
    DATABASE_URL: connectionString,
    SLUICE_SECRET: testSecret,
    SLUICE_DATA_DIR: join(folder, 'data'),
  });

  beforeAll(async () => {
    source = await createTestDatabase();
    const { pool } = source;
    await pool.query('INSERT INTO installation (secret_check) VALUES ($1)', [testKeyring.secretCheck]);
    const tenantId = await addTenant(pool, 'One');
    await addPerson(pool, tenantId, 'super_admin', 'root@one.test');
    await pool.query(
      `INSERT INTO request_logs (id, tenant_id, protocol, operation, status, http_status, is_stream, attempts, received_at,
         response_time_ms, usage_source, error_message)
       SELECT uuid_floor(at + n * interval '1 ms'), $1, 'openai-chat', 'chat', 'success', 200, false, 1, at, 1, 'provider',
         E'a tab\t, a line\\n, a backslash \\\\ and ' || n
       FROM (SELECT now() - day * interval '1 day' AS at FROM generate_series(0, 9) day) days, generate_series(1, 100) n`,
      [tenantId],
    );
    file = join(folder, 'own.backup');
    expect(await callCommand(['backup', file], envOf(source))).toMatchObject({ code: 0 });
  });
  afterAll(() => source.close());

  const readRows = async ({ pool }: TestDatabase) => {
    const { rows } = await pool.query(
      'SELECT count(*), md5(string_agg(l::text, chr(10) ORDER BY id)) FROM request_logs l',
    );
    return rows;
  };

  it('backup reports a folder that does not exist', async () => {
    const missing = join(folder, 'missing');
    const { code, stderr } = await callCommand(['backup', join(missing, 'a.backup')], envOf(source));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`The folder ${missing} does not exist`),
    });
  });

  it('backup replaces a file only with --force, and leaves no partial file', async () => {
    const path = join(folder, 'kept.backup');
    writeFileSync(path, 'another backup');
    const refused = await callCommand(['backup', path], envOf(source));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
    expect(readFileSync(path, 'utf8')).toBe('another backup');
    expect(await callCommand(['backup', path, '--force'], envOf(source))).toMatchObject({ code: 0 });
    expect(statSync(path).size).toBeGreaterThan(1_000);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('backup creates one file if several backups with the same name run concurrently', async () => {
    const path = join(folder, 'raced.backup');
    const answers = await Promise.all([1, 2, 3].map(() => runCommand(['backup', path], envOf(source))));
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('restore recovers every row, with partitions for old days and continued identities', async () => {
    const target = await createTestDatabase();
    expect(await callCommand(['restore', file], envOf(target))).toMatchObject({ code: 0 });
    expect(await readRows(target)).toEqual(await readRows(source));
    const { rows } = await target.pool.query('SELECT count(*)::integer AS strays FROM request_logs_default');
    expect(rows).toEqual([{ strays: 0 }]);
    const next = await addTenant(target.pool, 'Two');
    expect(next).toBe(2);
    await migrate(target.connectionString, log);
    const guards = await target.pool.query(
      "SELECT (SELECT count(*) FROM pg_trigger WHERE tgenabled = 'D')::integer AS off, (SELECT count(*) FROM pg_constraint WHERE contype = 'f')::integer AS links",
    );
    const { rows: expected } = await source.pool.query(
      "SELECT count(*)::integer AS links FROM pg_constraint WHERE contype = 'f'",
    );
    expect(guards.rows).toEqual([{ off: 0, ...expected[0] }]);
    await target.close();
  });

  it('restore empties a database in use only after confirmation', async () => {
    const target = await createTestDatabase();
    expect(await callCommand(['restore', file], envOf(target))).toMatchObject({ code: 0 });
    await addTenant(target.pool, 'Two');
    const refused = await callCommand(['restore', file], envOf(target));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed') });
    const unasked = await callCommand(['restore', file, '--replace'], envOf(target));
    expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining('add --yes') });
    expect((await target.pool.query('SELECT FROM tenants')).rowCount).toBe(2);
    expect(await callCommand(['restore', file, '--replace', '--yes'], envOf(target))).toMatchObject({
      code: 0,
    });
    expect((await target.pool.query('SELECT FROM tenants')).rowCount).toBe(1);
    await target.close();
  });

  it('a killed restore prevents nodes from starting, and the next restore starts over', async () => {
    const target = await createTestDatabase();
    const program = join(import.meta.dirname, 'main.ts');
    const child = spawn(process.execPath, [program, 'restore', file], {
      env: { PATH: process.env.PATH, ...fastStart, ...envOf(target) },
    });
    await untilProgress(child.stderr);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect(migrate(target.connectionString, log)).rejects.toThrow('was interrupted');
    expect(await callCommand(['restore', file], envOf(target))).toMatchObject({ code: 0 });
    expect(await readRows(target)).toEqual(await readRows(source));
    await target.close();
  });

  const change = (edit: (plain: Buffer) => Buffer) => {
    const bytes = readFileSync(file);
    const head = bytes.indexOf('\n') + 1;
    const path = join(folder, `changed-${crypto.randomUUID()}`);
    writeFileSync(
      path,
      Buffer.concat([
        bytes.subarray(0, head),
        zstdCompressSync(edit(zstdDecompressSync(bytes.subarray(head)))),
      ]),
    );
    return path;
  };
  const replace = (from: string, to: string) => (plain: Buffer) => {
    const at = plain.indexOf(from);
    expect(at).toBeGreaterThan(0);
    return Buffer.concat([plain.subarray(0, at), Buffer.from(to), plain.subarray(at + from.length)]);
  };

  it.each([
    [
      'a backup of a newer version',
      () => change(replace('0001-foundation.sql', '9001-foundation.sql')),
      'Install that version to restore it',
    ],
    ['a backup with changed rows', () => change(replace('root@one.test', 'evil@one.test')), 'is damaged'],
    [
      'a truncated backup',
      () => change((plain) => plain.subarray(0, plain.length - 400)),
      'damaged or incomplete',
    ],
    ['a file that is not a backup', () => join(import.meta.dirname, 'main.ts'), 'is not a Sluice backup'],
  ])(
    'restore rejects %s with an explanation, and leaves the database empty or marked as interrupted',
    async (_, make, words) => {
      const target = await createTestDatabase();
      const { code, stderr } = await callCommand(['restore', make()], envOf(target));
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(words) });
      const { rowCount } = await target.pool.query(
        "SELECT FROM to_regclass('sluice_restore') t WHERE t IS NOT NULL",
      );
      const { rows } = await target.pool
        .query("SELECT to_regclass('installation') IS NULL OR NOT EXISTS (SELECT FROM tenants) AS empty")
        .catch(() => ({ rows: [{ empty: true }] }));
      expect(rowCount === 1 || rows[0]?.empty).toBe(true);
      expect(stderr.includes('Nodes cannot start on it until a restore succeeds.')).toBe(rowCount === 1);
      await target.close();
    },
  );

  it('restore requires the master key of the backup', async () => {
    const target = await createTestDatabase();
    const env = { ...envOf(target), SLUICE_SECRET: 'another secret of at least 32 characters' };
    const answer = await callCommand(['restore', file], env);
    expect(answer).toMatchObject({ code: 1, stderr: expect.stringContaining('another secret') });
    await target.close();
  });
});
