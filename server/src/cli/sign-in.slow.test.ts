import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { type RunningServer, startWorker, testKeyring } from '#test/console/console-server.ts';
import { assignTask, openSessionOf } from '#test/console/tools-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { callCommand, runCommand } from '#test/processes/run-command.ts';
import { runSluice } from './run-sluice.ts';

let database: TestDatabase;
let worker: RunningServer;
let folder: string;
let env: Record<string, string>;
let mara: Principal;
let assignment: { id: number; taskId: number };

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  assignment = await assignTask(database.pool, mara);
  worker = await startWorker({ connectionString: database.connectionString });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});
beforeEach(async () => {
  await emptyTables(database, 'device_codes', 'signed_in_tools', 'login_attempts');
  folder = await mkdtemp(join(tmpdir(), 'sluice-sign-in-'));
  env = { XDG_CONFIG_HOME: folder, HOME: folder };
  return () => rm(folder, { recursive: true });
});

const credentialFile = () => join(folder, 'sluice', 'credentials.json');

async function browse(path: string, body: object): Promise<Response> {
  const principal = await openSessionOf(database.pool, mara);
  const { sessionId } = principal.credential as { sessionId: string };
  const claims = { userId: mara.userId, sessionId, tokenVersion: 1 };
  const token = await signSessionToken(testKeyring.sessionKey, claims, Date.now());
  return fetch(`${worker.origin}/api/v1/user/signed-in-tools/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function logIn(decide: (userCode: string) => Promise<unknown>, args: readonly string[] = []) {
  const output = { stdout: '', stderr: '' };
  const { promise: shown, resolve } = Promise.withResolvers<string>();
  const write = (name: keyof typeof output) => (text: string | Uint8Array) => {
    output[name] += text;
    const code = /the code ([A-Z]{4}-[A-Z]{4})/.exec(output.stderr)?.[1];
    if (code) resolve(code);
    return true;
  };
  const running = runSluice(['login', '--url', `${worker.origin}/`, ...args], {
    env,
    stdin: process.stdin,
    stdout: { write: write('stdout') },
    stderr: { write: write('stderr') },
  });
  await decide(await shown);
  return { code: await running, ...output };
}

const allow = async (user_code: string) => {
  const response = await browse('allow', { user_code, task_id: assignment.id });
  expect({ status: response.status, body: await response.text() }).toMatchObject({ status: 200 });
};

const askModels = async (key: string) =>
  (await fetch(`${worker.origin}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;

it('login stores a credential that only its owner can read, and token prints its key', async () => {
  let preselected: unknown;
  const { code, stdout, stderr } = await logIn(
    async (user_code) => {
      preselected = await (await browse('find', { user_code })).json();
      await allow(user_code);
    },
    ['--task', 'write tests'],
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(preselected).toMatchObject({
    tool_name: 'Sluice command line',
    tasks: [{ id: assignment.id, is_requested: true }],
  });
  expect(stderr).toContain('/device?user_code=');
  expect(stdout).toContain(
    `Signed in to ${worker.origin} as mara (mara@one.test) for the task "Write tests".`,
  );
  expect((await stat(credentialFile())).mode & 0o777).toBe(0o600);
  const key = (await callCommand(['token'], env)).stdout.trim();
  expect(key).toMatch(/^slc_[0-9A-Za-z]{36}$/);
  expect(await askModels(key)).toBe(200);
  expect(stdout + stderr).not.toContain(key);
});

it('login fails and stores nothing if the user denies the tool', async () => {
  const { code, stderr } = await logIn((user_code) => browse('deny', { user_code }));
  expect(code).toBe(1);
  expect(stderr).toContain('The user denied this sign-in.');
  expect((await callCommand(['token'], env)).stderr).toContain('This machine is not signed in.');
});

async function age(): Promise<void> {
  const stored = JSON.parse(await readFile(credentialFile(), 'utf8'));
  const installation = stored.installations[worker.origin];
  installation.issued_at = new Date(Date.now() - 59 * 60_000).toISOString();
  installation.expires_at = new Date(Date.now() + 60_000).toISOString();
  await writeFile(credentialFile(), JSON.stringify(stored));
}

it('token renews a key that is about to expire only once, even if several processes call it concurrently', async () => {
  await logIn(allow);
  const first = (await callCommand(['token'], env)).stdout;
  await age();
  const calls = Array.from({ length: 3 }, () => runCommand(['token'], env));
  const outcomes = await Promise.all(calls);
  expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    outcomes.map(() => ({ code: 0, stderr: '' })),
  );
  const keys = new Set(outcomes.map(({ stdout }) => stdout));
  expect(keys.size).toBe(1);
  expect(keys.has(first)).toBe(false);
  expect((await stat(credentialFile())).mode & 0o777).toBe(0o600);
});

it('token explains how to sign in after the tool was signed out elsewhere', async () => {
  await logIn(allow);
  await database.pool.query('UPDATE signed_in_tools SET revoked_at = now()');
  await age();
  const { code, stderr } = await callCommand(['token'], env);
  expect(code).toBe(1);
  expect(stderr).toContain(`Run \`npx sluice login --url ${worker.origin}\`.`);
});

it('logout revokes the key and deletes the credential', async () => {
  await logIn(allow);
  const key = (await callCommand(['token'], env)).stdout.trim();
  expect(await callCommand(['logout'], env)).toMatchObject({
    code: 0,
    stdout: `Signed out of ${worker.origin}.\n`,
  });
  await expect.poll(() => askModels(key), { timeout: 1_000, interval: 20 }).toBe(401);
  expect(await readFile(credentialFile(), 'utf8')).not.toContain('slc_');
});

it('login reports a URL that cannot be reached', async () => {
  const { code, stderr } = await callCommand(['login', '--url', 'http://127.0.0.1:9'], env);
  expect(code).toBe(1);
  expect(stderr).toContain('http://127.0.0.1:9 cannot be reached');
  expect((await callCommand(['login', '--url', 'sluice'], env)).code).toBe(2);
});
