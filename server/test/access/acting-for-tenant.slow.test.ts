import { contract, isAboutTenant, pathOf, type RouteRow, tenantHeader } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { workerVariables } from './attempts.ts';
import { addCaller, type Caller, callerKinds } from './callers.ts';
import { makeInput } from './inputs.ts';
import { makeId, objectKindOf } from './objects.ts';
import type { RowInput } from './row-input.ts';
import { createWorld, type World } from './world.ts';

const rows = Object.values<Record<string, RouteRow>>(contract).flatMap((routes) => Object.entries(routes));
const rowsOfTenants = rows.filter(([, row]) => isAboutTenant(row));

let database: TestDatabase;
let world: World;
let sandbox: Sandbox;
let worker: RunningServer;
let operator: Caller;
let admin: Caller;
const prepared = new Map<string, { input: RowInput; id: string } | Error>();

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  const add = (wanted: string) => addCaller(world, callerKinds.find(({ name }) => name === wanted)!);
  operator = await add('super_admin');
  admin = await add('admin');
  await database.pool.query(
    "UPDATE users SET name = 'Operator', email = 'operator@platform.test' WHERE id = $1",
    [operator.userId],
  );
  const caller = { ...operator, tenant: world.foreign };
  const prepare = async (rowName: string, row: RouteRow) => {
    const kind = objectKindOf(rowName, row);
    const id = kind ? await makeId(world, kind, { caller, owner: 'other user', rowName }) : '';
    return { input: await makeInput(world, rowName, row, caller), id };
  };
  for (const [rowName, row] of rowsOfTenants) {
    prepared.set(rowName, await prepare(rowName, row).catch((error: Error) => error));
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

async function send(
  row: RouteRow,
  { caller, tenant, id = '', input = {} }: { caller: Caller; tenant: string; id?: string; input?: RowInput },
) {
  const url = new URL(worker.origin + pathOf(row).replace(/\{.*\}/, id));
  for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method: row.method,
    headers: {
      ...(caller.authorization && { authorization: caller.authorization }),
      ...(input.body && { 'content-type': 'application/json' }),
      [tenantHeader]: tenant,
    },
    ...(input.body && { body: JSON.stringify(input.body) }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe('a super administrator who names another tenant', () => {
  it.each(rowsOfTenants)(
    '%s succeeds for a super administrator who names another tenant, without texts of their own tenant',
    async (rowName, row) => {
      const ready = prepared.get(rowName)!;
      if (ready instanceof Error) throw ready;
      const { status, text } = await send(row, { ...ready, caller: operator, tenant: world.foreign.marker });
      expect(status, text).toBe(ready.input.status ?? row.status ?? 200);
      if (row.permission !== 'super_admin') expect(text).not.toContain(world.home.marker);
    },
  );

  it('a super administrator may name the tenant by id and is the actor in the audit log', async () => {
    const email = 'by-operator@foreign.test';
    const { status, headers } = await send(contract.users.createUser, {
      caller: operator,
      tenant: String(world.foreign.id),
      input: { body: { email, name: 'New', password: 'secret1', role_id: 3 } },
    });
    expect(status).toBe(201);
    const people = await database.pool.query('SELECT tenant_id FROM users WHERE email = $1', [email]);
    expect(people.rows).toEqual([{ tenant_id: world.foreign.id }]);
    const entries = await database.pool.query(
      "SELECT tenant_id, actor_id, actor_tenant_id FROM audit_entries WHERE request_id = $1 AND object_type = 'user'",
      [headers.get('x-request-id')],
    );
    expect(entries.rows).toEqual([
      { tenant_id: world.foreign.id, actor_id: operator.userId, actor_tenant_id: world.home.id },
    ]);
  });

  it('a super administrator who names an unknown tenant gets a 404', async () => {
    for (const tenant of ['2147483647', 'no-such-tenant', '', '-1', "x' OR 1=1"]) {
      const { status, text } = await send(contract.users.listUsers, { caller: operator, tenant });
      expect([status, text]).toEqual([404, '{"detail":"Tenant not found"}']);
    }
  });

  it('getCurrentUser returns the super administrator and the effective tenant', async () => {
    const { text } = await send(contract.auth.getCurrentUser, {
      caller: operator,
      tenant: world.foreign.marker,
    });
    expect(JSON.parse(text)).toMatchObject({
      id: operator.userId,
      email: 'operator@platform.test',
      tenant: { id: world.foreign.id },
    });
  });

  it('GET routes about the caller ignore the tenant that a super administrator names', async () => {
    const aboutOneself = rows
      .map(([, row]) => row)
      .filter(
        (row) =>
          row.permission === 'account.read' &&
          row.method === 'GET' &&
          !row.path.includes('{') &&
          !row.tellsTenant,
      );
    expect(aboutOneself.length).toBeGreaterThan(0);
    for (const row of aboutOneself) {
      const { status } = await send(row, { caller: operator, tenant: 'no-such-tenant' });
      expect(status, row.path).toBe(row.status ?? 200);
    }
  });
});

describe("a route in the caller's own tenant", () => {
  const asking = rows.filter(([, row]) => row.inOwnTenant);

  it.each(asking)(
    "%s rejects any tenant other than the caller's own, which may be named by id",
    async (rowName, row) => {
      const input = await makeInput(world, rowName, row, operator);
      const kind = objectKindOf(rowName, row);
      const id = kind ? await makeId(world, kind, { caller: operator, owner: 'own', rowName }) : '';
      for (const tenant of [world.foreign.marker, String(world.foreign.id), 'no-such-tenant', '']) {
        const { status, text } = await send(row, { caller: operator, tenant, id, input });
        expect([status, text]).toEqual([403, expect.stringContaining('in your own tenant')]);
      }
      const { status } = await send(row, { caller: operator, tenant: String(world.home.id), id, input });
      expect(status).toBe(row.status ?? 200);
    },
  );
});

describe('an administrator who names a tenant', () => {
  it.each(['home', 'foreign'] as const)(
    'an administrator who names a tenant is rejected, including their own: %s tenant',
    async (which) => {
      for (const tenant of [String(world[which].id), world[which].marker]) {
        const { status, text } = await send(contract.users.listUsers, { caller: admin, tenant });
        expect([status, text]).toEqual([
          403,
          '{"detail":"Only a super administrator may act for another tenant"}',
        ]);
      }
    },
  );

  it('an administrator who names a tenant cannot find out whether it exists', async () => {
    const answers = [world.foreign.marker, 'no-such-tenant'].map((tenant) =>
      send(contract.users.listUsers, { caller: admin, tenant }),
    );
    const [real, missing] = await Promise.all(answers);
    expect(real?.text).toBe(missing?.text);
    expect(real?.status).toBe(missing?.status);
  });
});

it('an anonymous caller who names a tenant gets a 401', async () => {
  const nobody: Caller = { ...admin, authorization: null };
  const { status } = await send(contract.users.listUsers, { caller: nobody, tenant: world.foreign.marker });
  expect(status).toBe(401);
});
