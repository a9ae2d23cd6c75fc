import { contract, type RouteRow } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import {
  type Answer,
  type Attempt,
  createPreparer,
  crossesTenants,
  expectedStatus,
  rows,
  send,
  workerVariables,
} from './attempts.ts';
import { addCaller, callerKinds, judge } from './callers.ts';
import { makeInput } from './inputs.ts';
import type { Owner } from './object-kind.ts';
import { objectKindOf } from './objects.ts';
import { createWorld, type World } from './world.ts';

const cells = rows.flatMap(([rowName, row]) =>
  callerKinds.map((kind) => ({ rowName, row, kind, caller: kind.name })),
);

let database: TestDatabase;
let sandbox: Sandbox;
let worker: RunningServer;
let world: World;
/** By cell; all people exist before the worker starts, so that it knows them from its first request on. */
const attempts = new Map<object, Attempt[] | Error>();

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  const prepare = createPreparer(world);
  await Promise.all(
    cells.map(async (cell) => attempts.set(cell, await prepare(cell).catch((error: Error) => error))),
  );
  sandbox = await startSandbox();
  const { connectionString } = database;
  worker = await startWorker({ connectionString, sandboxOrigin: sandbox.origin, variables: workerVariables });
}, 120_000);
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

describe.each(cells)('$rowName for $caller', (cell) => {
  const { row, kind } = cell;

  it('answers as the permissions say, and no word of another tenant', async () => {
    const prepared = attempts.get(cell);
    if (prepared instanceof Error) throw prepared;
    const answers = new Map<Owner | null, Answer>();
    for (const attempt of prepared ?? []) {
      const { status, body, headers } = await send(worker.origin, row, attempt);
      const about = `${attempt.owner ?? 'no'} object: ${status} ${body}`;
      expect(status, about).toBe(expectedStatus(cell, attempt));
      const stranger = attempt.caller.tenant === world.home ? world.foreign : world.home;
      const withoutId = attempt.id ? body.replaceAll(attempt.id, '{id}') : body;
      const text = withoutId.replaceAll(headers['x-request-id'] ?? '', '{request}');
      if (!crossesTenants(row)) expect(text).not.toContain(stranger.marker);
      const { date: _date, 'x-request-id': _id, 'content-length': _length, ...others } = headers;
      answers.set(attempt.owner, { status, body: text, headers: others });
    }
    if (answers.size > 1 && judge(kind, row) === 'allowed' && !crossesTenants(row)) {
      expect(answers.get('other tenant')).toEqual(answers.get('missing'));
    }
  });
});

describe('a new row', () => {
  const row: RouteRow = { ...contract.users.updateUser, path: '/admin/rockets/{id}' };

  it('whose input cannot be built fails with the place to add it', async () => {
    const caller = await addCaller(world, callerKinds[0]!);
    const made = makeInput(world, 'launchRocket', contract.users.createUser, caller);
    await expect(made).rejects.toThrow(
      'the access matrix has no input for launchRocket: add a valid one to server/test/access/inputs.ts',
    );
  });

  it('whose object cannot be made fails with the place to add it', () => {
    expect(() => objectKindOf('launchRocket', row)).toThrow(
      'the access matrix cannot make what launchRocket names in /admin/rockets/{id}: add it to server/test/access/objects.ts',
    );
  });
});
