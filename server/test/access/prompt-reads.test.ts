import { permissionsOfRole } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningWorker, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { rows, send, workerVariables } from './attempts.ts';
import { addCaller, type Caller, callerKinds } from './callers.ts';
import { makeInput } from './inputs.ts';
import { objectKindOf } from './objects.ts';
import type { RowInput } from './row-input.ts';
import { addMember, createWorld, type World } from './world.ts';

/** Word that occurs only in one user's prompt. Its parts are unique as well. */
const secretWord = 'zebrafinch';

const readable = rows.filter(
  ([, { surface, permission, status }]) =>
    surface === 'management' &&
    permission !== 'anyone' &&
    status !== 204 &&
    permissionsOfRole('super_admin').includes(permission),
);

let database: TestDatabase;
let sandbox: Sandbox;
let worker: RunningWorker;
let world: World;
/** One reader of another user's content per route, since some routes end the calling session. */
const readers = new Map<string, Caller>();
let sender: Caller;
let requestId: string;
const inputs = new Map<string, RowInput>();

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  const admin = callerKinds.find(({ name }) => name === 'admin')!;
  const operator = callerKinds.find(({ name }) => name === 'super_admin')!;
  sender = await addCaller(world, admin);
  requestId = await addRequest(sender.userId!);
  for (const [rowName, row] of readable) {
    const reader = await addCaller(world, operator);
    readers.set(rowName, reader);
    const input = await makeInput(world, rowName, row, reader).catch(() => null);
    if (input) inputs.set(rowName, input);
  }
  sandbox = await startSandbox();
  const { connectionString } = database;
  worker = await startWorker({ connectionString, sandboxOrigin: sandbox.origin, variables: workerVariables });
});
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

async function addRequest(userId: number): Promise<string> {
  const id = await objectKindOf('getLog', { path: '/admin/logs/{id}' } as never)!.make(world, {
    tenant: world.home,
    userId,
    owner: 'other user',
    rowName: 'getLog',
  });
  const prompt = `Write a python function about the ${secretWord}`;
  await database.pool.query('UPDATE request_log_bodies SET prompt = $2, request_body = $2 WHERE id = $1', [
    id,
    prompt,
  ]);
  await database.pool.query(
    `INSERT INTO intent_corrections (request_id, tenant_id, prompt, intent, corrected_by) VALUES ($1, $2, $3, 'coding', $4)`,
    [id, world.home.id, prompt, userId],
  );
  // The id of the comparison is the request's id, so that the same path parameter finds both.
  await database.pool.query(
    'INSERT INTO llm_comparisons (id, tenant_id, user_id, prompt) VALUES ($1, $2, $3, $4)',
    [id, world.home.id, userId, prompt],
  );
  return id;
}

async function call(rowName: string, caller: Caller) {
  const row = rows.find(([name]) => name === rowName)![1];
  // Paths without a request get the same id and find nothing.
  const { body, headers } = await send(worker.origin, row, {
    id: requestId,
    caller,
    input: inputs.get(rowName) ?? {},
  });
  const { rows: entries } = await database.pool.query(
    `SELECT action, actor_id, object_type, object_id, after FROM audit_entries
     WHERE request_id = $1 AND object_type LIKE 'prompt%'`,
    [headers['x-request-id']],
  );
  return { isShown: body.includes('zebra'), entries };
}

const shown: string[] = [];

describe('prompt of another user', () => {
  it.each(readable)(
    'a prompt of another user is not returned by %s without an audit entry with reader and sender',
    async (rowName) => {
      const reader = readers.get(rowName)!;
      const { isShown, entries } = await call(rowName, reader);
      if (!isShown) return expect(entries).toEqual([]);
      shown.push(rowName);
      expect(entries).toEqual([expect.objectContaining({ action: rowName, actor_id: reader.userId })]);
      const { object_type, object_id, after } = entries[0];
      if (object_type === 'prompt') expect([object_id, after.user_id]).toEqual([requestId, sender.userId]);
      else {
        expect(after.user_ids).toContain(sender.userId);
        expect(after.request_ids).toContain(requestId);
      }
    },
  );

  it('getLog, listLogs and six other known routes return a prompt of another user', () => {
    const known = [
      'getLog',
      'getLogBody',
      'listLogs',
      'exportLogs',
      'explainLog',
      'listCorrections',
      'getComparison',
      'listAllComparisons',
    ];
    expect(shown).toEqual(expect.arrayContaining(known));
  });
});

describe('own prompt', () => {
  it.each(['getLog', 'getLogBody', 'explainLog', 'getComparison'])(
    "a user's own prompt is returned by %s without an audit entry",
    async (rowName) => {
      expect(await call(rowName, sender)).toEqual({ isShown: true, entries: [] });
    },
  );

  it("a user's own prompt is not recorded as read in a list with prompts of others", async () => {
    const { userId } = await addMember(world, world.home, 'user');
    await addRequest(userId);
    await worker.moveLogRows();
    const { isShown, entries } = await call('listLogs', sender);
    expect(isShown).toBe(true);
    expect(entries).toHaveLength(1);
    expect(entries[0].after.user_ids).toContain(userId);
    expect(entries[0].after.user_ids).not.toContain(sender.userId);
  });
});
