import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '#platform/version.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { type RunningServer, startWorker, testKeyring, testSecret } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { callCommand } from '#test/processes/run-command.ts';
import { commands } from './commands.ts';

let database: TestDatabase;
let worker: RunningServer;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('INSERT INTO installation (secret_check) VALUES ($1)', [testKeyring.secretCheck]);
  await addPerson(database.pool, await addTenant(database.pool, 'One'), 'super_admin', 'root@one.test');
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-commands-'));
  worker = await startWorker({ connectionString: database.connectionString });
});
afterAll(async () => {
  await worker.close();
  await database.close();
  await rm(dataDir, { recursive: true });
});

const run = (args: readonly string[], input = '') =>
  callCommand(
    args,
    {
      DATABASE_URL: database.connectionString,
      SLUICE_SECRET: testSecret,
      SLUICE_DATA_DIR: dataDir,
      PORT: '0',
    },
    input,
  );

async function runJson(args: readonly string[], input = '') {
  const { code, stdout, stderr } = await run([...args, '--json'], input);
  expect(JSON.parse(stderr)).toEqual({ installation: expect.stringMatching(/^database "\w+" at /) });
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

const callWith = (apiKey: string) =>
  fetch(`${worker.origin}/api/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } });

const lastEntry = async () => {
  const { rows } = await database.pool.query(
    'SELECT actor_id, action, address, object_type FROM audit_entries ORDER BY id DESC LIMIT 1',
  );
  return rows[0];
};

describe('operator commands', () => {
  it('commands create a user and a working key, block the user on the running node, and revoke the key', async () => {
    const { id } = await runJson(['users', 'create', 'ada@one.test', '--role', 'admin'], 'a first horse\n');
    const people = await runJson(['users', 'list', '--tenant', 'one']);
    expect(people).toContainEqual(expect.objectContaining({ id, email: 'ada@one.test', role: 'admin' }));
    const { api_key } = await runJson(['keys', 'create', 'ada@one.test']);
    expect((await callWith(api_key)).status).toBe(200);

    await runJson(['users', 'block', 'ada@one.test', 'lost their laptop']);
    const status = async () => (await callWith(api_key)).status;
    await expect.poll(status).toBe(403);
    expect(await lastEntry()).toEqual({
      actor_id: null,
      action: 'blockUser',
      address: 'command line',
      object_type: 'user',
    });
    await runJson(['users', 'unblock', 'ada@one.test']);
    await expect.poll(status).toBe(200);

    const [key] = await runJson(['keys', 'list']);
    expect(key).toMatchObject({ email: 'ada@one.test', last4: api_key.slice(-4) });
    await runJson(['keys', 'revoke', 'ada@one.test']);
    await expect.poll(status).toBe(401);
  });

  it('credits grant books a bonus in the ledger without an author', async () => {
    const entry = await runJson(['credits', 'grant', 'one', '12.5', 'a good start']);
    expect(entry).toMatchObject({ transaction_type: 'bonus', amount: 12.5, balance_after: 12.5 });
    const { rows } = await database.pool.query('SELECT actor_id, amount FROM ledger_entries');
    expect(rows).toEqual([{ actor_id: null, amount: '12500000000' }]);
  });

  it('logs tail prints filtered rows, one JSON object per line', async () => {
    await database.pool.query(
      `INSERT INTO request_logs (id, tenant_id, protocol, operation, status, http_status, is_stream, attempts, received_at, response_time_ms, usage_source)
       SELECT uuid_floor(now() + place * interval '1 ms'), tenants.id, 'p', 'o', given.status, 200, false, 1, now(), 1, 'none'
       FROM tenants, unnest('{refused,success,refused}'::text[]) WITH ORDINALITY given (status, place)`,
    );
    const { code, stdout } = await run(['logs', 'tail', '--no-follow', '--json', '--status', 'refused']);
    expect(code).toBe(0);
    const lines = stdout.split('\n').filter(Boolean);
    expect(lines.map((line) => JSON.parse(line).status)).toEqual(['refused', 'refused']);
  });

  it('--version and version print the version', async () => {
    expect(JSON.parse((await run(['--version', '--json'])).stdout)).toMatchObject({ version });
    expect((await run(['version'])).stdout).toMatch(/^sluice \d+\.\d+\.\d+/);
  });
});

describe('doctor', () => {
  it('doctor reports no failed check for a healthy installation', async () => {
    const { is_healthy, checks } = await runJson(['doctor']);
    expect(checks.filter(({ state }: { state: string }) => state === 'fail')).toEqual([]);
    expect(is_healthy).toBe(true);
    const names = checks.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['database', 'privileges', 'pg_trgm', 'clock', 'migrations']),
    );
    expect(names).toEqual(
      expect.arrayContaining(['secret', 'provider keys', 'port', 'journals', 'free space']),
    );
  });

  it.each([
    ['another secret', { SLUICE_SECRET: 'x'.repeat(40) }, 'secret', 'another secret'],
    [
      'a database that cannot be reached',
      { DATABASE_URL: 'postgresql://a@127.0.0.1:1/b' },
      'database',
      'the connection to 127.0.0.1:1 was refused',
    ],
    [
      'a data folder that cannot be used',
      { SLUICE_DATA_DIR: join(import.meta.filename, 'data') },
      'data folder',
      'cannot be used',
    ],
  ])('doctor reports %s as a failed check, with the fix', async (_, changed, name, words) => {
    const env = {
      DATABASE_URL: database.connectionString,
      SLUICE_SECRET: testSecret,
      SLUICE_DATA_DIR: dataDir,
    };
    const { code, stdout } = await callCommand(['doctor', '--json'], { ...env, ...changed });
    expect(code).toBe(1);
    const failed = JSON.parse(stdout).checks.find((check: { name: string }) => check.name === name);
    expect(failed).toMatchObject({ state: 'fail', finding: expect.stringContaining(words) });
    expect(failed.fix).not.toBe('');
  });
});

describe('incorrect calls', () => {
  it.each([
    [['nothing'], 'Unknown command "nothing".'],
    [['users', 'block', 'ada@one.test'], 'npx sluice users block EMAIL REASON'],
    [['users', 'list', '--colour'], "Unknown option '--colour'"],
    [['logs', 'tail', '--status', 'odd'], '--status must be one of'],
    [['logs', 'tail', '--lines', '-3'], '--lines'],
  ])('sluice %j exits with code 2 and names the problem', async (args, words) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it('commands print errors as JSON with --json', async () => {
    const { code, stderr } = await run(['users', 'block', 'nobody@one.test', 'why', '--json']);
    expect(code).toBe(1);
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { installation: expect.any(String) },
      { error: 'There is no user with the email address nobody@one.test.' },
    ]);
  });

  it.each([
    ['help', 'credits'],
    ['credits', '--help'],
    ['--help', 'credits'],
  ])('help of a noun lists only its commands: sluice %s %s', async (...args) => {
    const { code, stdout } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toContain('credits grant TENANT DOLLARS REASON');
    expect(stdout).not.toContain('users list');
  });

  it('help of an unknown command names the command and exits with code 2', async () => {
    const { code, stderr } = await run(['help', 'creditz']);
    expect(code).toBe(2);
    expect(stderr).toContain('Unknown command "creditz".');
  });

  it('--json has the same effect before and after the command', async () => {
    const [before, after] = [await run(['--json', 'version']), await run(['version', '--json'])];
    expect(before.code).toBe(0);
    expect(JSON.parse(before.stdout)).toEqual(JSON.parse(after.stdout));
  });

  it('help lists every command and describes each of them', async () => {
    const { stdout } = await run(['help']);
    for (const { name, summary } of commands) {
      expect(stdout).toContain(name);
      expect(stdout).toContain(summary);
    }
    expect((await run(['help', 'users', 'create'])).stdout).toContain('--role ROLE');
    expect((await run(['users', 'create', '--help'])).stdout).toContain('--role ROLE');
  });

  it.each([
    ['users create', true],
    ['login', false],
  ])('help of %s explains how to run it on the server: %s', async (name, isForServer) => {
    const { stdout } = await run(['help', ...name.split(' ')]);
    expect(stdout.includes('Where Sluice runs as a service')).toBe(isForServer);
  });
});
