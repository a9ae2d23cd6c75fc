import { randomUUID } from 'node:crypto';
import { contract, pathOf, type RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { workerVariables } from './attempts.ts';
import { addCaller, type Caller, callerKinds } from './callers.ts';
import { makeInput } from './inputs.ts';
import { makeId, objectKindOf } from './objects.ts';
import type { RowInput } from './row-input.ts';
import { createWorld, type World } from './world.ts';

const rows = Object.values<Record<string, RouteRow>>(contract)
  .flatMap((routes) => Object.entries(routes))
  // The chat tests cover these two routes, which require a working provider.
  .filter(([name, row]) => row.idempotent && !['sendChatMessage', 'regenerateChatAnswer'].includes(name));

let database: TestDatabase;
let world: World;
let nodes: [RunningServer, RunningServer];
let superAdmin: Caller;

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  superAdmin = await addCallerOf('super_admin');
  const { connectionString } = database;
  const options = { connectionString, variables: workerVariables };
  nodes = [await startWorker(options), await startWorker(options)];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await database.close();
});

const addCallerOf = (kind: string) => addCaller(world, callerKinds.find(({ name }) => name === kind)!);

async function prepare(caller: Caller, rowName: string, row: RouteRow) {
  const input = await makeInput(world, rowName, row, caller);
  const kind = objectKindOf(rowName, row);
  // Some objects are visible to their owner only.
  const owner = caller.role && kind?.isHidden?.(caller.role, 'other user') ? 'own' : 'other user';
  const id = kind ? await makeId(world, kind, { caller, owner, rowName }) : '';
  return { caller, input, id };
}

async function send(
  node: RunningServer,
  row: RouteRow,
  { caller, input, id }: { caller: Caller; input: RowInput; id: string },
  key: string,
) {
  const url = new URL(node.origin + pathOf(row).replace(/\{\w+\}/, id));
  for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method: row.method,
    headers: {
      authorization: caller.authorization!,
      'idempotency-key': key,
      ...(input.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(input.body ? { body: JSON.stringify(input.body) } : {}),
  });
  const { headers, status } = response;
  return { status, isReplayed: headers.get('idempotent-replayed') === 'true', body: await response.json() };
}

describe.each(rows)('%s with an idempotency key', (rowName, row) => {
  let caller: Caller;
  beforeAll(async () => {
    // The last super administrator cannot be blocked, and therefore has no block to appeal.
    caller = rowName === 'createAppeal' ? await addCallerOf('user') : superAdmin;
  });

  it(`${rowName} returns its first response on another node for a repeated idempotency key, and rejects a changed request`, async () => {
    const prepared = await prepare(caller, rowName, row);
    const key = randomUUID();
    const [one, two] = nodes;
    const first = await send(one, row, prepared, key);
    expect(first).toMatchObject({ status: row.status ?? 200, isReplayed: false });
    expect(await send(two, row, prepared, key)).toEqual({ ...first, isReplayed: true });
    const other = await prepare(caller, rowName, row);
    const changed = {
      caller,
      id: other.id,
      input: {
        ...(prepared.input.body && { body: { ...prepared.input.body, description: 'another' } }),
        ...(prepared.input.query && { query: { ...prepared.input.query, description: 'another' } }),
      },
    };
    expect(await send(one, row, changed, key)).toMatchObject({ status: 422, isReplayed: false });
    expect(await send(one, row, prepared, randomUUID())).toMatchObject({ isReplayed: false });
  });

  it(`${rowName} rejects an idempotency key that is empty, longer than 255 characters, or has a space or non-ASCII character`, async () => {
    const prepared = await prepare(caller, rowName, row);
    for (const key of ['', 'x'.repeat(256), 'a b', 'ä']) {
      expect(await send(nodes[0], row, prepared, key)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['header', 'idempotency-key'] }] },
      });
    }
  });
});
