import { startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { rows, workerVariables } from './attempts.ts';
import { sendOddRequests } from './odd-inputs.ts';
import { createWorld, type World } from './world.ts';

/** Requests per route. `npm run proofs bodies` sends all requests. */
const sampled = 10;

let database: TestDatabase;
let world: World;
let worker: RunningServer;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  sandbox = await startSandbox();
  const { connectionString } = database;
  worker = await startWorker({ connectionString, sandboxOrigin: sandbox.origin, variables: workerVariables });
});
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
  process.off('unhandledRejection', note);
});

describe('malformed value in path, query or body', () => {
  it.each(rows)('a malformed value causes no server error in %s', async (rowName, row) => {
    const { faults, sent } = await sendOddRequests({ world, origin: worker.origin, rowName, row, sampled });
    expect(sent).toBeGreaterThan(5);
    expect(faults).toEqual([]);
  });
});

it('malformed values leave no unhandled promise rejection', () => {
  expect(unhandled).toEqual([]);
});
