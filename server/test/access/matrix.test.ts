import { contract, type RouteRow } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { sample } from '../load/sample.ts';
import {
  type Answer,
  type Attempt,
  type Cell,
  createPreparer,
  crossesTenants,
  expectedStatus,
  rows,
  send,
  workerVariables,
} from './attempts.ts';
import { addCaller, callerKinds, judge } from './callers.ts';
import { makeInput } from './inputs.ts';
import { type Owner, owners } from './object-kind.ts';
import { objectKindOf } from './objects.ts';
import { signUpTenant } from './sign-up-tenant.ts';
import { createWorld, type World } from './world.ts';

/**
 * Every route with each kind of caller, between a created tenant and a tenant from a signup. The sample has every
 * second kind of caller without permission, alternating between routes.
 */
const cells = rows.flatMap(([rowName, row], index) => {
  const refused = callerKinds.filter((kind) => judge(kind, row) !== 'allowed');
  const tried = sample(refused, 2, index);
  return callerKinds
    .filter((kind) => !refused.includes(kind) || tried.includes(kind))
    .map((kind): Cell => ({ rowName, row, kind }));
});

let database: TestDatabase;
let sandbox: Sandbox;
let worker: RunningServer;
let world: World;
/**
 * Attempts are prepared before the worker starts, so that its snapshot contains all users from the first request on.
 */
const attempts = new Map<Cell, Attempt[] | Error>();

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool, signUpTenant);
  const prepare = createPreparer(world, sampleOwners);
  await Promise.all(
    cells.map(async (cell) => attempts.set(cell, await prepare(cell).catch((error: Error) => error))),
  );
  sandbox = await startSandbox();
  const { connectionString } = database;
  worker = await startWorker({
    connectionString,
    sandboxOrigin: sandbox.origin,
    variables: workerVariables,
  });
});
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

it.each(rows)(
  '%s responds to callers according to their permissions, without data of another tenant',
  async (name, { permission }) => {
    const ofRow = cells.filter(({ rowName }) => rowName === name);
    // Public routes delay their responses to hide timing differences. Their callers share no state, so the requests
    // run concurrently.
    if (permission === 'anyone') await Promise.all(ofRow.map(expectAnswersOf));
    else for (const cell of ofRow) await expectAnswersOf(cell);
  },
);

/**
 * Callers without permission are rejected before the object is read. A sample therefore tries one owner per route,
 * and different owners on different routes.
 */
const sampleOwners = ({ rowName, kind, row }: Cell) =>
  judge(kind, row) === 'allowed'
    ? owners
    : sample(owners, owners.length, callerKinds.indexOf(kind) + rowName.length);

async function expectAnswersOf(cell: Cell): Promise<void> {
  const prepared = attempts.get(cell);
  if (prepared instanceof Error) expect.soft(prepared, cell.kind.name).toBeUndefined();
  else await expectAnswers(cell, prepared ?? []);
}

async function expectAnswers(cell: Cell, prepared: readonly Attempt[]): Promise<void> {
  const { row, kind } = cell;
  const answers = new Map<Owner | null, Answer>();
  for (const attempt of prepared) {
    const { status, body, headers } = await send(worker.origin, row, attempt);
    const about = `${kind.name}, ${attempt.owner ?? 'no'} object: ${status} ${body}`;
    expect.soft(status, about).toBe(expectedStatus(cell, attempt));
    const stranger = attempt.caller.tenant === world.home ? world.foreign : world.home;
    const withoutId = attempt.id ? body.replaceAll(attempt.id, '{id}') : body;
    const text = withoutId.replaceAll(headers['x-request-id'] ?? '', '{request}');
    if (!crossesTenants(row)) expect.soft(text, kind.name).not.toContain(stranger.marker);
    const { date: _date, 'x-request-id': _id, 'content-length': _length, ...others } = headers;
    answers.set(attempt.owner, { status, body: text, headers: others });
  }
  if (answers.size > 1 && judge(kind, row) === 'allowed' && !crossesTenants(row)) {
    expect.soft(answers.get('other tenant'), kind.name).toEqual(answers.get('missing'));
  }
}

describe('a new row of the contract', () => {
  const row: RouteRow = { ...contract.users.updateUser, path: '/admin/rockets/{id}' };

  it('makeInput names the file to extend if a row has no input', async () => {
    const caller = await addCaller(world, callerKinds[0]!);
    const made = makeInput(world, 'launchRocket', contract.users.createUser, caller);
    await expect(made).rejects.toThrow(
      'the access matrix has no input for launchRocket: add a valid one to server/test/access/inputs.ts',
    );
  });

  it('objectKindOf names the file to extend if a row has no object', () => {
    expect(() => objectKindOf('launchRocket', row)).toThrow(
      'the access matrix cannot create the object of launchRocket in /admin/rockets/{id}: add it to server/test/access/objects.ts',
    );
  });
});
