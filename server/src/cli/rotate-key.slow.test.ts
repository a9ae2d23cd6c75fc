import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace, sealSecret } from '#platform/seal-secret.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { startWorker, testKeyring, testSecret } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { fastStart, runCommand, untilProgress } from '#test/processes/run-command.ts';

const newSecret = 'the second secret of this installation';
const instances = 5;

let database: TestDatabase;
let folder: string;
let admin: Principal;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sluice-rotation-'));
  const { pool } = database;
  await pool.query('INSERT INTO installation (secret_check) VALUES ($1)', [testKeyring.secretCheck]);
  admin = await addPerson(pool, await addTenant(pool, 'One'), 'super_admin', 'root@one.test');
  await pool.query(
    "INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('rotated', 'Rotated', 'x')",
  );
  for (let count = 0; count < instances; count += 1) {
    const { rows } = await pool.query(
      `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name)
       SELECT $1, id, $2 FROM provider_registry WHERE provider_key = 'rotated' RETURNING id`,
      [admin.tenantId, `instance ${count}`],
    );
    const place = providerKeyPlace(admin.tenantId, rows[0].id);
    await pool.query('UPDATE llm_providers SET sealed_api_key = $1 WHERE id = $2', [
      sealSecret(testKeyring.sealingKey, place, `key ${count}`),
      rows[0].id,
    ]);
  }
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const envWith = (secret: string, former: string) => ({
  DATABASE_URL: database.connectionString,
  SLUICE_SECRET: secret,
  SLUICE_FORMER_SECRET: former,
  SLUICE_DATA_DIR: folder,
});

const startNode = (secret: string, former?: string) =>
  startWorker({
    connectionString: database.connectionString,
    secret,
    variables: former ? { SLUICE_FORMER_SECRET: former } : {},
  });

const statusOf = async (origin: string, path: string, token: string) =>
  (await fetch(`${origin}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

const whenHeld = (count: number) =>
  expect.poll(async () => (await database.pool.query('SELECT FROM secret_holders')).rowCount).toBe(count);

async function readProviderKeys(secret: string): Promise<string[]> {
  const { sealingKey } = createKeyring(secret);
  const { rows } = await database.pool.query(
    'SELECT id, tenant_id, sealed_api_key FROM llm_providers ORDER BY id',
  );
  return rows.map((row) =>
    openSecret(sealingKey, providerKeyPlace(row.tenant_id, row.id), row.sealed_api_key),
  );
}

it('rotate-key replaces the key under load on two nodes after a killed run, and sessions work until the previous secret is removed', async () => {
  const made = await runCommand(['keys', 'create', 'root@one.test'], envWith(testSecret, ''));
  const apiKey = made.stdout.trim();
  const claims = { userId: admin.userId, sessionId: crypto.randomUUID(), tokenVersion: 1 };
  const session = await signSessionToken(testKeyring.sessionKey, claims, Date.now());

  const old = await startNode(testSecret);
  await whenHeld(1);
  const early = await runCommand(['rotate-key'], envWith(newSecret, testSecret));
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('do not have the new secret') });
  await old.close();
  await database.pool.query('DELETE FROM secret_holders');

  const nodes = [await startNode(newSecret, testSecret), await startNode(newSecret, testSecret)];
  await whenHeld(2);
  let isOver = false;
  const statuses = new Set<number>();
  const meanwhile = (async () => {
    while (!isOver) {
      for (const { origin } of nodes) {
        statuses.add(await statusOf(origin, 'models', apiKey));
        statuses.add(await statusOf(origin, 'auth/me', session));
      }
    }
  })();
  const program = join(import.meta.dirname, 'main.ts');
  const env = { PATH: process.env.PATH, ...fastStart, ...envWith(newSecret, testSecret) };
  const killed = spawn(process.execPath, [program, 'rotate-key'], { env });
  await untilProgress(killed.stderr);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const answer = await runCommand(['rotate-key', '--json'], envWith(newSecret, testSecret));
  expect(answer).toMatchObject({ code: 0 });
  expect(JSON.parse(answer.stdout)).toMatchObject({ broken: [] });
  isOver = true;
  await meanwhile;
  expect([...statuses]).toEqual([200]);
  expect(await readProviderKeys(newSecret)).toEqual(
    Array.from({ length: instances }, (_, count) => `key ${count}`),
  );
  for (const node of nodes) await node.close();

  const alone = await startNode(newSecret);
  expect(await statusOf(alone.origin, 'models', apiKey)).toBe(200);
  expect(await statusOf(alone.origin, 'auth/me', session)).toBe(401);
  await alone.close();
  const doctor = await runCommand(['doctor', '--json'], { ...envWith(testSecret, ''), PORT: '0' });
  expect(JSON.parse(doctor.stdout).checks).toContainEqual(
    expect.objectContaining({ name: 'secret', state: 'fail' }),
  );
});
