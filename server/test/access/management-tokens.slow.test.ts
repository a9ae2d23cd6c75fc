import { randomBytes } from 'node:crypto';
import { type ManagementScope, managementScopes, type RouteRow, scopeOf } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatManagementToken } from '#domain/api-key.ts';
import { type RunningServer, startWorker, testKeyring } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import {
  type Attempt,
  type Cell,
  createPreparer,
  expectedStatus,
  rows,
  send,
  workerVariables,
} from './attempts.ts';
import { callerKinds } from './callers.ts';
import { createWorld } from './world.ts';

/** Management routes with credentials, called by a super administrator for an object that the caller owns. */
const kind = callerKinds.find(({ name }) => name === 'super_admin')!;
const cells = rows
  .filter(([, { surface, permission }]) => surface === 'management' && permission !== 'anyone')
  .map(([rowName, row]): Cell => ({ rowName, row, kind }));

let database: TestDatabase;
let sandbox: Sandbox;
let worker: RunningServer;
const attempts = new Map<string, Attempt | Error>();
beforeAll(async () => {
  database = await createTestDatabase();
  const prepare = createPreparer(await createWorld(database.pool), () => ['own']);
  for (const cell of cells) {
    const prepared = await prepare(cell).catch((error: Error) => error);
    attempts.set(cell.rowName, prepared instanceof Error ? prepared : prepared[0]!);
  }
  sandbox = await startSandbox();
  worker = await startWorker({
    connectionString: database.connectionString,
    sandboxOrigin: sandbox.origin,
    variables: workerVariables,
  });
});
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

// The shared caller would reach the token limit.
beforeEach(() => database.pool.query("DELETE FROM management_tokens WHERE name LIKE 'token %'"));

let tokensCount = 0;

/** Returns the token name and an attempt that uses the token. */
async function withToken(
  attempt: Attempt,
  scopes: readonly ManagementScope[],
  columns = "now() + interval '1 hour', NULL",
) {
  // A blocked user cannot have tokens, and the route that requires a blocked user accepts no tokens.
  await database.pool.query('UPDATE users SET is_blocked = false WHERE id = $1 AND is_blocked', [
    attempt.caller.userId,
  ]);
  const token = formatManagementToken(randomBytes(64));
  const name = `token ${++tokensCount}`;
  await database.pool.query(
    `INSERT INTO management_tokens (tenant_id, user_id, name, token_hash, last4, scopes, expires_at, revoked_at)
     SELECT tenant_id, id, $2, $3, 'abcd', $4, ${columns} FROM users WHERE id = $1`,
    [attempt.caller.userId, name, testKeyring.hashApiKey(token), scopes],
  );
  const caller = { ...attempt.caller, authorization: `Bearer ${token}` };
  return { name, attempt: { ...attempt, caller } };
}

async function ask(row: RouteRow, attempt: Attempt, scopes: readonly ManagementScope[], columns?: string) {
  const { name, attempt: sent } = await withToken(attempt, scopes, columns);
  return { name, ...(await send(worker.origin, row, sent)) };
}

function attemptOf(rowName: string): Attempt {
  const attempt = attempts.get(rowName);
  if (!attempt || attempt instanceof Error) throw attempt ?? new Error(`${rowName} was not prepared`);
  return attempt;
}

async function readCalls(name: string) {
  const { rows: calls } = await database.pool.query(
    "SELECT action FROM audit_entries WHERE object_type = 'management_token' AND object_name = $1 AND action IS NOT NULL AND before IS NULL AND after IS NULL",
    [name],
  );
  return calls.map(({ action }) => action);
}

describe.each(cells)('a management token at $rowName', (cell) => {
  const { row, rowName } = cell;
  const scope = scopeOf(row);

  it(`${rowName} rejects a management token without its scope, regardless of other scopes`, async () => {
    const others = managementScopes.filter((other) => other !== scope);
    for (const scopes of [[], others]) {
      const { name, status, body } = await ask(row, attemptOf(rowName), scopes);
      expect(status).toBe(403);
      expect(body).toContain(
        scope === null ? 'does not accept management tokens' : `does not have the scope ${scope}.`,
      );
      expect(await readCalls(name)).toEqual([]);
    }
  });

  it.runIf(scope !== null)(
    `${rowName} accepts a management token with only its scope, and the call is audited with the name of the token`,
    async () => {
      const attempt = attemptOf(rowName);
      const { name, status, body } = await ask(row, attempt, [scope!]);
      expect(status, body).toBe(expectedStatus(cell, attempt));
      expect(await readCalls(name)).toEqual([rowName]);
    },
  );
});

describe('the validity of a management token', () => {
  const row = rows.find(([name]) => name === 'getUserProfile')![1];
  const rejected = [401, 'Could not validate credentials'];

  it.each([
    ['expired', "now() - interval '1 s', NULL"],
    ['revoked', "now() + interval '1 hour', now()"],
  ])('a management token that is %s is rejected like an unknown one', async (_, columns) => {
    const { status, body } = await ask(row, attemptOf('getUserProfile'), ['account:read'], columns);
    expect([status, JSON.parse(body).detail]).toEqual(rejected);
  });

  it.each([
    ['being blocked', 'is_blocked = true', 'is_blocked = false'],
    ['leaving', 'is_active = false', 'is_active = true'],
    ['losing the role', 'role_id = 3', 'role_id = 1'],
  ])("%s permanently invalidates a user's management tokens", async (_, change, changeBack) => {
    const userId = attemptOf('createUser').caller.userId;
    const { attempt } = await withToken(attemptOf('createUser'), ['account:read']);
    const ask = async () => (await send(worker.origin, row, { ...attempt, input: {} })).status;
    expect(await ask()).toBe(200);
    for (const assignment of [change, changeBack]) {
      await database.pool.query(`UPDATE users SET ${assignment} WHERE id = $1`, [userId]);
      expect(await ask()).toBe(401);
    }
  });

  it('a management token reaches another tenant only with a platform scope', async () => {
    const { rows: tenants } = await database.pool.query<{ id: number }>(
      'SELECT id FROM tenants WHERE id <> (SELECT tenant_id FROM users WHERE id = $1) LIMIT 1',
      [attemptOf('listUsers').caller.userId],
    );
    const usersOf = async (scopes: readonly ManagementScope[]) => {
      const { attempt } = await withToken(attemptOf('listUsers'), scopes);
      const headers = {
        authorization: attempt.caller.authorization ?? '',
        'x-sluice-tenant': String(tenants[0]!.id),
      };
      const answer = await fetch(`${worker.origin}/api/v1/admin/users`, { headers });
      return [answer.status, await answer.text()];
    };
    expect(await usersOf(['users:read'])).toEqual([
      403,
      expect.stringContaining('does not have the scope platform:read.'),
    ]);
    expect(await usersOf(['users:read', 'platform:read'])).toEqual([200, expect.any(String)]);
  });

  it('invalid management tokens are limited by IP address, and valid ones are not', async () => {
    const { attempt } = await withToken(attemptOf('getUserProfile'), ['account:read']);
    const guess = () => {
      const authorization = `Bearer ${formatManagementToken(randomBytes(64))}`;
      return send(worker.origin, row, { ...attempt, caller: { ...attempt.caller, authorization } });
    };
    const statuses = new Set<number>();
    for (let round = 0; round < 102; round++) statuses.add((await guess()).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await send(worker.origin, row, attempt)).status).toBe(200);
    await database.pool.query('DELETE FROM login_attempts');
  });

  it('the last use of a management token is stored with the IP address', async () => {
    const { name } = await ask(row, attemptOf('getUserProfile'), ['account:read']);
    const { rows: tokens } = await database.pool.query(
      'SELECT last_used_at IS NOT NULL AS is_used, last_used_address FROM management_tokens WHERE name = $1',
      [name],
    );
    expect(tokens).toEqual([{ is_used: true, last_used_address: '127.0.0.1' }]);
  });

  it('GET /models does not accept a management token', async () => {
    const { attempt } = await withToken(attemptOf('getUserProfile'), managementScopes);
    const answer = await fetch(`${worker.origin}/api/v1/models`, {
      headers: { authorization: attempt.caller.authorization ?? '' },
    });
    expect(answer.status).toBe(401);
  });
});
