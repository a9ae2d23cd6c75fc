import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
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
import { callerKinds, judge } from './callers.ts';
import type { Owner } from './object-kind.ts';
import { createWorld, type MakeTenant, type World } from './world.ts';

const cells = rows.flatMap(([rowName, row]) =>
  callerKinds.map((kind) => ({ rowName, row, kind, caller: kind.name })),
);

/** Defines the tests of every route for every kind of caller, between two tenants created by `makeTenant`. */
export function describeMatrix(makeTenant?: MakeTenant): void {
  let database: TestDatabase;
  let sandbox: Sandbox;
  let worker: RunningServer;
  let world: World;
  /** Attempts by cell; all users exist before the worker starts, so that it knows them from its first request on. */
  const attempts = new Map<object, Attempt[] | Error>();

  beforeAll(async () => {
    database = await createTestDatabase();
    world = await createWorld(database.pool, makeTenant);
    const prepare = createPreparer(world);
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
  }, 120_000);
  afterAll(async () => {
    await worker.close();
    await sandbox.close();
    await database.close();
  });

  describe.each(cells)('$rowName for $caller', (cell) => {
    it('answers as the permissions say, and no word of another tenant', async () => {
      const prepared = attempts.get(cell);
      if (prepared instanceof Error) throw prepared;
      await expectAnswers(worker.origin, world, cell, prepared ?? []);
    });
  });
}

async function expectAnswers(origin: string, world: World, cell: Cell, attempts: Attempt[]): Promise<void> {
  const { row, kind } = cell;
  const answers = new Map<Owner | null, Answer>();
  for (const attempt of attempts) {
    const { status, body, headers } = await send(origin, row, attempt);
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
}
