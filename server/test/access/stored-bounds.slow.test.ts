import { contract, type RouteRow } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type Answer, rows, send, workerVariables } from './attempts.ts';
import { addCaller, type Caller, callerKinds } from './callers.ts';
import { makeInput } from './inputs.ts';
import { makeId, objectKindOf } from './objects.ts';
import type { RowInput } from './row-input.ts';
import { createWorld, type World } from './world.ts';

const adding = [
  'acceptInvitation',
  'addBlacklistEntry',
  'addDomain',
  'addTeamMember',
  'allowTool',
  'confirmSignup',
  'createApiKey',
  'createBudget',
  'createChat',
  'createComparison',
  'createIdentityProvider',
  'createInvitation',
  'createLitellmTeam',
  'createLitellmUser',
  'createLlmProvider',
  'createManagementToken',
  'createOwnApiKey',
  'createOwnManagementToken',
  'createProviderRegistryEntry',
  'createScimToken',
  'createServiceAccount',
  'createTask',
  'createTaskAssignment',
  'createTeam',
  'createTenant',
  'createUser',
  'createUserApiKey',
  'generateLitellmKey',
  'grantTeamAccess',
  'grantUserAccess',
  'login',
  'regenerateOwnApiKey',
  'regenerateUserApiKey',
  'requestBudgetRaise',
  'rotateApiKey',
  'sendChatMessage',
  'setPrice',
];

const changing = rows.filter(([, { surface, method }]) => surface === 'management' && method !== 'GET');
const operator = callerKinds.find(({ name }) => name === 'super_admin')!;

interface Prepared {
  readonly caller: Caller;
  readonly input: RowInput;
  readonly id: string;
}

let database: TestDatabase;
let world: World;
let sandbox: Sandbox;
let worker: RunningServer;
const prepared = new Map<string, Prepared>();

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  for (const [rowName, row] of changing) {
    const ready = await prepare(rowName, row).catch(() => null);
    if (ready) prepared.set(rowName, ready);
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

async function prepare(rowName: string, row: RouteRow): Promise<Prepared> {
  const caller = await addCaller(world, operator);
  const input = await makeInput(world, rowName, row, caller);
  const kind = objectKindOf(rowName, row);
  const id = kind ? await makeId(world, kind, { caller, owner: 'other user', rowName }) : '';
  return { caller, input, id };
}

/** True for a 422 with a text as `detail`. Invalid input has a list. */
const isBoundReached = ({ status, body }: Answer) =>
  status === 422 && String(JSON.parse(body).detail).startsWith('Storage limit reached for ');

describe('console with every bound reached', () => {
  it('the console rejects rows beyond any reached bound with a 422 that names the bound, without a server error', {
    timeout: 120_000,
  }, async () => {
    const { rows: bounds } = await database.pool.query(
      `UPDATE stored_bounds b SET rows_max = b.rows_max * 0, rows_per_user = 0 FROM stored_bounds former
       WHERE former.table_name = b.table_name RETURNING b.table_name, former.rows_max, former.rows_per_user`,
    );
    const refused: string[] = [];
    const failed: string[] = [];
    try {
      for (const [rowName, row] of changing) {
        const ready = prepared.get(rowName);
        if (!ready) continue;
        const answer = await send(worker.origin, row, ready);
        if (answer.status >= 500 && answer.status !== 503)
          failed.push(`${rowName}: ${answer.status} ${answer.body}`);
        if (isBoundReached(answer)) refused.push(rowName);
      }
    } finally {
      for (const { table_name, rows_max, rows_per_user } of bounds)
        await database.pool.query(
          'UPDATE stored_bounds SET rows_max = $2, rows_per_user = $3 WHERE table_name = $1',
          [table_name, rows_max, rows_per_user],
        );
    }
    expect(failed).toEqual([]);
    expect(refused.toSorted()).toEqual(adding);
  });

  it('20 parallel requests add exactly as many rows as the bound allows', async () => {
    const caller = await addCaller(world, operator);
    const { rows: counted } = await database.pool.query<{ teams: number }>(
      'SELECT count(*)::integer AS teams FROM teams WHERE tenant_id = $1',
      [world.home.id],
    );
    const teams = counted[0]?.teams ?? 0;
    await database.pool.query(
      "UPDATE stored_bounds SET rows_max = $1, rows_per_user = 0 WHERE table_name = 'teams'",
      [teams + 7],
    );
    const row: RouteRow = contract.teams.createTeam;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        send(worker.origin, row, { caller, id: null, input: { body: { name: `Parallel ${n}` } } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
    const refused = answers.filter(isBoundReached);
    expect(refused).toHaveLength(13);
    expect(JSON.parse(refused[0]?.body ?? '{}').detail).toBe(
      `Storage limit reached for teams: at most ${teams + 7} per organization, ${teams + 7} are stored and this adds 1. Delete what is no longer needed, or ask the operator of this installation to raise the limit.`,
    );
  });

  it('a bulk call reports the bound for each rejected grant and creates the others', async () => {
    const caller = await addCaller(world, operator);
    const people = await Promise.all(
      [1, 2, 3].map(() => addCaller(world, callerKinds.find(({ name }) => name === 'user')!)),
    );
    await database.pool.query('DELETE FROM user_provider_access WHERE user_id = ANY($1)', [
      people.map(({ userId }) => userId),
    ]);
    const { rows: left } = await database.pool.query<{ grants: number }>(
      'SELECT count(*)::integer AS grants FROM user_provider_access WHERE tenant_id = $1',
      [world.home.id],
    );
    await database.pool.query(
      "UPDATE stored_bounds SET rows_max = $1, rows_per_user = 0 WHERE table_name = 'user_provider_access'",
      [(left[0]?.grants ?? 0) + 1],
    );
    const accesses = people.map(({ userId }) => ({
      user_id: userId,
      llm_provider_id: world.home.instanceId,
      allowed_models: ['sandbox-normal'],
    }));
    const { status, body } = await send(worker.origin, contract.providerAccess.grantUserAccesses, {
      caller,
      id: null,
      input: { body: { accesses } },
    });
    expect(status).toBe(200);
    const errors: (string | null)[] = JSON.parse(body).map(
      (outcome: { error: string | null }) => outcome.error,
    );
    const rejected = expect.stringMatching(/^Storage limit reached for model grants to users/);
    expect(errors).toEqual([null, rejected, rejected]);
  });
});
