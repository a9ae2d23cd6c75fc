import { contract, pathOf, permissionsOfRole, type RouteRow } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { addCaller, type Caller, callerKinds } from './callers.ts';
import { makeInput, type RowInput } from './inputs.ts';
import { makeId, objectKindOf } from './objects.ts';
import { createWorld } from './world.ts';

/** Rows that ask for something to be done which changes nothing that is governed. */
const changesNothing = ['testLlmProvider', 'checkBlacklist', 'previewGovernance'];

const ofUsers: readonly string[] = permissionsOfRole('user');
const rows = Object.values<Record<string, RouteRow>>(contract)
  .flatMap((routes) => Object.entries(routes))
  .filter(
    ([name, { surface, method }]) =>
      surface === 'management' && method !== 'GET' && !changesNothing.includes(name),
  )
  .filter(([, { permission }]) => permission !== 'anyone' && !ofUsers.includes(permission));

interface Prepared {
  readonly caller: Caller;
  readonly input: RowInput;
  readonly id: string;
}

let database: TestDatabase;
let sandbox: Sandbox;
let worker: RunningServer;
const prepared = new Map<string, Prepared | Error>();

beforeAll(async () => {
  database = await createTestDatabase();
  const world = await createWorld(database.pool);
  const operator = callerKinds.find(({ name }) => name === 'super_admin')!;
  const prepare = async (rowName: string, row: RouteRow): Promise<Prepared> => {
    const caller = await addCaller(world, operator);
    const input = await makeInput(world, rowName, row, caller);
    const kind = objectKindOf(rowName, row);
    const id = kind ? await makeId(world, kind, { caller, owner: 'other user', rowName }) : '';
    return { caller, input, id };
  };
  for (const [rowName, row] of rows) {
    prepared.set(rowName, await prepare(rowName, row).catch((error: Error) => error));
  }
  sandbox = await startSandbox();
  worker = await startWorker({
    connectionString: database.connectionString,
    sandboxOrigin: sandbox.origin,
  });
}, 120_000);
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

describe('the audit log', () => {
  it.each(rows)('names who called %s, and what it changed', async (rowName, row) => {
    const ready = prepared.get(rowName)!;
    if (ready instanceof Error) throw ready;
    const { caller, input, id } = ready;
    const url = new URL(worker.origin + pathOf(row).replace(/\{.*\}/, id));
    for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method: row.method,
      headers: {
        authorization: caller.authorization!,
        ...(input.body && { 'content-type': 'application/json' }),
      },
      ...(input.body && { body: JSON.stringify(input.body) }),
    });
    expect(response.status, await response.text()).toBe(row.status ?? 200);
    const { rows: entries } = await database.pool.query(
      'SELECT DISTINCT action, actor_id, address FROM audit_entries WHERE request_id = $1',
      [response.headers.get('x-request-id')],
    );
    expect(
      entries,
      `${rowName} leaves no entry: audit its table, or list it here as one that changes nothing`,
    ).toEqual([{ action: rowName, actor_id: caller.userId, address: '127.0.0.1' }]);
  });

  it('has no change that nobody is named for', async () => {
    const { rows: nameless } = await database.pool.query(
      'SELECT object_type, after FROM audit_entries WHERE request_id IS NOT NULL AND actor_id IS NULL',
    );
    expect(nameless).toEqual([]);
  });
});
