import { usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUsersHandlers } from '#console/users/routes.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import {
  assignTask,
  clientId,
  createToolsConsole,
  openSessionOf,
  type ToolsConsole,
} from '#test/console/tools-console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';

let database: TestDatabase;
let tools: ToolsConsole;
let mara: Principal;
let noor: Principal;
let assignment: { id: number; taskId: number };

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database, 'tenants', 'login_attempts', 'device_codes');
  const { pool } = database;
  const tenantId = await addTenant(pool, 'One');
  mara = await openSessionOf(pool, await addPerson(pool, tenantId, 'user', 'mara@one.test'));
  noor = await openSessionOf(pool, await addPerson(pool, tenantId, 'user', 'noor@one.test'));
  assignment = await assignTask(pool, mara);
  tools = createToolsConsole(pool);
});

const start = (fields: object = {}) =>
  tools.as().authorizeDevice({ form: { client_id: clientId, device_name: 'laptop', ...fields } });
const allow = (user_code: string, principal = mara, task_id = assignment.id) =>
  tools.as(principal).allowTool({ body: { user_code, task_id } });
const failsWith = (code: string) => ({ status: 400, code });

async function signIn() {
  const { device_code, user_code } = await start();
  await allow(user_code);
  return tools.poll(device_code);
}

async function readKeyStates(): Promise<string[]> {
  const { rows } = await database.pool.query<{ state: string }>(
    `SELECT CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN superseded_at IS NOT NULL THEN 'superseded' ELSE 'active' END AS state
     FROM api_keys WHERE tool_id IS NOT NULL ORDER BY id`,
  );
  return rows.map(({ state }) => state);
}

describe('authorizeDevice', () => {
  it('authorizeDevice returns codes and the page to confirm them, and stores only hashes', async () => {
    const codes = await start();
    expect(codes).toMatchObject({ expires_in: 600, interval: 5 });
    expect(codes.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(codes.verification_uri).toBe('https://sluice.one.test/device');
    expect(codes.verification_uri_complete).toBe(
      `https://sluice.one.test/device?user_code=${codes.user_code}`,
    );
    const { rows } = await database.pool.query('SELECT device_codes::text AS row FROM device_codes');
    expect(rows[0].row).not.toContain(codes.device_code);
    expect(rows[0].row).not.toContain(codes.user_code.replace('-', ''));
  });

  it('authorizeDevice rejects a 21st pending code of a network, even among concurrent requests', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => start()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const form = { client_id: clientId };
    await expect(tools.as(undefined, '198.51.100.1').authorizeDevice({ form })).resolves.toHaveProperty(
      'device_code',
    );
  });

  it('authorizeDevice rejects more than 10,000 codes per installation, not counting expired ones', async () => {
    await database.pool.query(
      `INSERT INTO device_codes (device_code_hash, user_code_hash, client_id, device_name, address, network, user_agent, expires_at)
       SELECT sha256(n::text::bytea), sha256(n::text::bytea), 'c', 'd', '192.0.2.1', n::text, '', now() + interval '5 minutes'
       FROM generate_series(1, 10000) n`,
    );
    await expect(start()).rejects.toMatchObject({ status: 503 });
    await database.pool.query(
      "UPDATE device_codes SET expires_at = now() - interval '1 minute' WHERE id % 100 = 0",
    );
    await expect(start()).resolves.toHaveProperty('device_code');
  });
});

describe('a poll', () => {
  it('a poll returns authorization_pending until the user decides, and slow_down if it comes too early', async () => {
    const { device_code } = await start();
    await expect(tools.poll(device_code)).rejects.toMatchObject(failsWith('authorization_pending'));
    tools.pass(2 * secondMs);
    await expect(tools.poll(device_code)).rejects.toMatchObject(failsWith('slow_down'));
    tools.pass(6 * secondMs);
    // The interval is now 10 seconds and increases with each further early poll.
    await expect(tools.poll(device_code)).rejects.toMatchObject(failsWith('slow_down'));
    tools.pass(15 * secondMs);
    await expect(tools.poll(device_code)).rejects.toMatchObject(failsWith('authorization_pending'));
  });

  it('a poll returns access_denied after the user denied the tool', async () => {
    const { device_code, user_code } = await start();
    await tools.as(mara).denyTool({ body: { user_code } });
    await expect(tools.poll(device_code)).rejects.toMatchObject(failsWith('access_denied'));
  });

  it('a poll returns expired_token after 10 minutes, and the code can no longer be allowed', async () => {
    const { device_code, user_code } = await start();
    tools.pass(10 * minuteMs);
    await expect(tools.poll(device_code)).rejects.toMatchObject(failsWith('expired_token'));
    await expect(allow(user_code)).rejects.toMatchObject({ status: 404 });
  });

  it('a poll returns invalid_grant for an unknown code and for the code of another client', async () => {
    const { device_code } = await start();
    await expect(tools.poll('unknown')).rejects.toMatchObject(failsWith('invalid_grant'));
    await expect(tools.poll(device_code, 'other')).rejects.toMatchObject(failsWith('invalid_grant'));
  });

  it.each([
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
  ])('issueToolToken rejects %j with %s', async (form, code) => {
    await expect(tools.as().issueToolToken({ form })).rejects.toMatchObject(failsWith(code));
  });

  it('a poll of an allowed code returns a task key of one hour and works once', async () => {
    const { device_code, user_code } = await start();
    await allow(user_code);
    const token = await tools.poll(device_code);
    expect(token).toMatchObject({
      token_type: 'Bearer',
      task: { id: assignment.taskId, title: 'Write tests' },
      user: { email: 'mara@one.test' },
    });
    expect(token.access_token).toMatch(/^slc_/);
    expect(token.expires_in).toBeGreaterThan(3_590);
    expect(token.expires_in).toBeLessThanOrEqual(3_600);
    const { rows } = await database.pool.query(
      'SELECT name, kind, user_id, task_id, created_by FROM api_keys WHERE tool_id IS NOT NULL',
    );
    expect(rows).toEqual([
      {
        name: 'Sluice command line on laptop',
        kind: 'task',
        user_id: mara.userId,
        task_id: assignment.taskId,
        created_by: mara.userId,
      },
    ]);
    tools.pass(10 * secondMs);
    await expect(tools.poll(device_code)).rejects.toMatchObject(failsWith('invalid_grant'));
  });

  it('concurrent polls get one token in total', async () => {
    const { device_code, user_code } = await start();
    await allow(user_code);
    const outcomes = await Promise.allSettled([tools.poll(device_code), tools.poll(device_code)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readKeyStates()).toEqual(['active']);
  });
});

describe('allowTool', () => {
  it('two concurrent confirmations sign in one tool', async () => {
    const { user_code } = await start();
    const other = await assignTask(database.pool, noor);
    const outcomes = await Promise.allSettled([allow(user_code), allow(user_code, noor, other.id)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { rows } = await database.pool.query('SELECT user_id FROM signed_in_tools');
    expect(rows).toHaveLength(1);
  });

  it("allowTool rejects another user's assignment, a closed task and an ended session", async () => {
    const { user_code } = await start();
    await expect(allow(user_code, noor)).rejects.toMatchObject({ status: 404 });
    await database.pool.query('UPDATE tasks SET is_active = false WHERE id = $1', [assignment.taskId]);
    await expect(allow(user_code)).rejects.toMatchObject({ status: 409 });
    await database.pool.query('UPDATE tasks SET is_active = true');
    // A new password or role ends sessions by the version of the user.
    await database.pool.query('UPDATE users SET token_version = token_version + 1');
    await expect(allow(user_code)).rejects.toMatchObject({ status: 401 });
    await database.pool.query('UPDATE users SET token_version = token_version - 1');
    await database.pool.query('UPDATE sessions SET ended_at = now()');
    await expect(allow(user_code)).rejects.toMatchObject({ status: 401 });
  });

  it('findPendingTool returns the tool with its IP address, and marks the requested task', async () => {
    const other = await assignTask(database.pool, mara, 'Review code');
    const { user_code } = await start({ task: 'review CODE' });
    const body = { user_code: user_code.toLowerCase().replace('-', ' ') };
    expect(await tools.as(mara).findPendingTool({ body })).toMatchObject({
      user_code,
      tool_name: 'Sluice command line',
      device_name: 'laptop',
      address: '192.0.2.1',
      user_agent: 'sluice/0.2',
      tasks: [
        { id: other.id, title: 'Review code', is_requested: true },
        { id: assignment.id, title: 'Write tests', is_requested: false },
      ],
    });
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'a tool with the client id %s is displayed with this id and names its key after it',
    async (id) => {
      const { device_code, user_code } = await start({ client_id: id });
      const body = { user_code };
      expect(await tools.as(mara).findPendingTool({ body })).toMatchObject({ tool_name: id });
      expect(await allow(user_code)).toMatchObject({ tool_name: id });
      await tools.poll(device_code, id);
      const { rows } = await database.pool.query('SELECT name FROM api_keys WHERE tool_id IS NOT NULL');
      expect(rows).toEqual([{ name: `${id} on laptop` }]);
    },
  );

  it('a user is throttled after 10 wrong codes, and correct codes do not count', async () => {
    const { user_code } = await start();
    const find = (code: string) => tools.as(mara).findPendingTool({ body: { user_code: code } });
    for (let count = 0; count < 3; count++) await find(user_code);
    for (let count = 0; count < 10; count++)
      await expect(find('BBBBBBBB')).rejects.toMatchObject({ status: 404 });
    await expect(find(user_code)).rejects.toMatchObject({ status: 429 });
    await expect(allow(user_code)).rejects.toMatchObject({ status: 429 });
  });

  it('a user has at most 10 signed-in tools', async () => {
    const signInOne = async () => allow((await start()).user_code);
    for (let count = 0; count < 10; count++) await signInOne();
    await expect(signInOne()).rejects.toThrow(/signed-in tools of a user/);
  });
});

describe('a refresh token', () => {
  it('a refresh token returns the next key once, and the previous key expires after an overlap', async () => {
    const first = await signIn();
    const second = await tools.refresh(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await readKeyStates()).toEqual(['superseded', 'active']);
    const { rows } = await database.pool.query(
      "SELECT expires_at < now() + interval '61 seconds' AS ends FROM api_keys WHERE superseded_at IS NOT NULL",
    );
    expect(rows).toEqual([{ ends: true }]);
  });

  it('a used refresh token signs the tool out and revokes its keys', async () => {
    const first = await signIn();
    const second = await tools.refresh(first.refresh_token);
    await expect(tools.refresh(first.refresh_token)).rejects.toMatchObject(failsWith('invalid_grant'));
    expect(await readKeyStates()).toEqual(['revoked', 'revoked']);
    await expect(tools.refresh(second.refresh_token)).rejects.toMatchObject(failsWith('invalid_grant'));
    expect(await tools.as(mara).listSignedInTools()).toEqual([]);
  });

  it('two concurrent uses of a refresh token sign the tool out', async () => {
    const { refresh_token: token } = await signIn();
    const outcomes = await Promise.allSettled([tools.refresh(token), tools.refresh(token)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readKeyStates()).not.toContain('active');
  });

  it('an unknown refresh token and a malformed one return invalid_grant', async () => {
    await expect(tools.refresh('slr_x')).rejects.toMatchObject(failsWith('invalid_grant'));
    const token = `slr_${'a'.repeat(43)}.${'b'.repeat(43)}`;
    await expect(tools.refresh(token)).rejects.toMatchObject(failsWith('invalid_grant'));
  });

  it('a key expires no later than the session in which its tool was allowed', async () => {
    await database.pool.query("UPDATE sessions SET expires_at = now() + interval '20 minutes'");
    const { expires_in: seconds, refresh_token: token } = await signIn();
    expect(seconds).toBeLessThanOrEqual(20 * 60);
    tools.pass(21 * minuteMs);
    await expect(tools.refresh(token)).rejects.toMatchObject(failsWith('invalid_grant'));
  });
});

const endings: [name: string, statement: string][] = [
  ['its session was ended', 'UPDATE sessions SET ended_at = now() WHERE user_id = $1'],
  ['its user was blocked', "UPDATE users SET is_blocked = true, blocked_reason = 'x' WHERE id = $1"],
  ['its user was deactivated', 'UPDATE users SET is_active = false WHERE id = $1'],
  ['the password was changed', 'UPDATE users SET token_version = token_version + 1 WHERE id = $1'],
  [
    'the assignment was completed',
    "UPDATE task_assignments SET status = 'completed', ended_at = now() WHERE user_id = $1",
  ],
  [
    'the task was closed',
    'UPDATE tasks SET is_active = false WHERE id IN (SELECT task_id FROM task_assignments WHERE user_id = $1)',
  ],
];

describe.each(endings)('after %s', (_name, statement) => {
  it('a tool that has lost its session, user or task can neither renew nor use its key', async () => {
    const { refresh_token: token } = await signIn();
    await database.pool.query(statement, [mara.userId]);
    expect(await readKeyStates()).toEqual(['revoked']);
    await expect(tools.refresh(token)).rejects.toMatchObject(failsWith('invalid_grant'));
    expect(await tools.as(mara).listSignedInTools()).toEqual([]);
  });

  it('an allowed tool that has lost its session, user or task cannot collect its first key', async () => {
    const { device_code, user_code } = await start();
    await allow(user_code);
    await database.pool.query(statement, [mara.userId]);
    await expect(tools.poll(device_code)).rejects.toMatchObject(failsWith('access_denied'));
    expect(await readKeyStates()).toEqual([]);
  });
});

describe('revokeSignedInTool', () => {
  it("revokeSignedInTool signs out the caller's tool and returns 404 for other users' tools", async () => {
    await signIn();
    const [tool] = await tools.as(mara).listSignedInTools();
    expect(tool).toMatchObject({ tool_name: 'Sluice command line', task_title: 'Write tests' });
    const call = { params: { id: tool?.id ?? 0 } };
    await expect(tools.as(noor).revokeSignedInTool(call)).rejects.toMatchObject({ status: 404 });
    await tools.as(mara).revokeSignedInTool(call);
    expect(await readKeyStates()).toEqual(['revoked']);
    await expect(tools.as(mara).revokeSignedInTool(call)).rejects.toMatchObject({ status: 404 });
  });

  it('revokeUserSignedInTool signs out the tool of a user and records the administrator in the audit log', async () => {
    const { refresh_token: token } = await signIn();
    const admin = await addPerson(database.pool, mara.tenantId, 'admin', 'ada@one.test');
    const id = mara.userId;
    const [tool, ...others] = await tools.as(admin).listUserSignedInTools({ params: { id } });
    expect([tool, others]).toMatchObject([{ tool_name: 'Sluice command line', device_name: 'laptop' }, []]);
    expect(await tools.as(admin).listUserSignedInTools({ params: { id: noor.userId } })).toEqual([]);
    const users = createTestConsole(
      database.pool,
      usersRoutes,
      createUsersHandlers({ passwords: { hash: async (password) => password } }),
    );
    const countTools = async () =>
      (await users({ principal: admin }).getUserStanding({ params: { id } })).signed_in_tools;
    expect(await countTools()).toBe(1);
    const toolId = tool?.id ?? 0;
    // A tool can only be revoked with the id of its user.
    const mixed = tools.as(admin).revokeUserSignedInTool({ params: { id: noor.userId, toolId } });
    await expect(mixed).rejects.toMatchObject({ status: 404, message: 'Signed-in tool not found' });
    expect(await readKeyStates()).toEqual(['active']);
    await tools.as(admin).revokeUserSignedInTool({ params: { id, toolId } });
    expect(await readKeyStates()).toEqual(['revoked']);
    await expect(tools.refresh(token)).rejects.toMatchObject(failsWith('invalid_grant'));
    expect(await tools.as(admin).listUserSignedInTools({ params: { id } })).toEqual([]);
    expect(await countTools()).toBe(0);
    const again = tools.as(admin).revokeUserSignedInTool({ params: { id, toolId } });
    await expect(again).rejects.toMatchObject({ status: 404 });
    const { rows } = await database.pool.query(
      "SELECT DISTINCT object_type AS kind, actor_id AS who FROM audit_entries WHERE action = 'revokeUserSignedInTool' ORDER BY 1",
    );
    expect(rows).toEqual([
      { kind: 'api_key', who: admin.userId },
      { kind: 'signed_in_tool', who: admin.userId },
    ]);
  });

  it('an administrator can neither see nor sign out tools of another tenant', async () => {
    await signIn();
    const stranger = await addPerson(
      database.pool,
      await addTenant(database.pool, 'Two'),
      'admin',
      'sam@two.test',
    );
    const [tool] = await tools.as(mara).listSignedInTools();
    const params = { id: mara.userId, toolId: tool?.id ?? 0 };
    await expect(tools.as(stranger).listUserSignedInTools({ params })).rejects.toMatchObject({ status: 404 });
    await expect(tools.as(stranger).revokeUserSignedInTool({ params })).rejects.toMatchObject({
      status: 404,
    });
    expect(await readKeyStates()).toEqual(['active']);
  });

  it('an administrator cannot sign out the tool of a super administrator', async () => {
    await signIn();
    const admin = await addPerson(database.pool, mara.tenantId, 'admin', 'ada@one.test');
    await database.pool.query(
      "UPDATE users SET role_id = (SELECT id FROM roles WHERE name = 'super_admin') WHERE id = $1",
      [mara.userId],
    );
    const [tool] = await tools.as(mara).listSignedInTools();
    if (!tool) throw new Error('the change of the role ended the tool');
    const params = { id: mara.userId, toolId: tool.id };
    await expect(tools.as(admin).revokeUserSignedInTool({ params })).rejects.toMatchObject({ status: 403 });
  });

  it.each(['refresh_token', 'access_token'] as const)(
    'revokeToolToken signs out the tool of its %s',
    async (kind) => {
      const token = await signIn();
      await tools.as().revokeToolToken({ form: { token: token[kind] } });
      expect(await readKeyStates()).toEqual(['revoked']);
      await expect(tools.refresh(token.refresh_token)).rejects.toMatchObject(failsWith('invalid_grant'));
      expect(await tools.as().revokeToolToken({ form: { token: 'unknown' } })).toEqual({});
    },
  );

  it('the audit log records the user of each step and no hashes', async () => {
    const { refresh_token: token } = await signIn();
    await tools.refresh(token);
    await tools.as().revokeToolToken({ form: { token } });
    const { rows } = await database.pool.query<{ action: string; kind: string; who: number; text: string }>(
      `SELECT action, object_type AS kind, actor_id AS who, audit_entries::text AS text FROM audit_entries
       WHERE object_type IN ('signed_in_tool', 'api_key') AND tenant_id = $1 ORDER BY id`,
      [mara.tenantId],
    );
    expect(rows.every(({ who }) => who === mara.userId)).toBe(true);
    expect(rows.map(({ action, kind }) => `${action} ${kind}`)).toEqual([
      'allowTool signed_in_tool',
      'issueToolToken signed_in_tool',
      'issueToolToken api_key',
      'issueToolToken signed_in_tool',
      'issueToolToken api_key',
      'issueToolToken api_key',
      'revokeToolToken api_key',
      'revokeToolToken api_key',
      'revokeToolToken signed_in_tool',
    ]);
    expect(rows.map(({ text }) => text).join()).not.toMatch(/\\\\x[0-9a-f]{64}/);
  });
});
