import { permissionsOfRole, type RouteRow } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { rows, send, workerVariables } from './attempts.ts';
import { addCaller, type Caller, callerKinds } from './callers.ts';
import { makeInput } from './inputs.ts';
import { makeId, objectKindOf } from './objects.ts';
import type { RowInput } from './row-input.ts';
import { createWorld } from './world.ts';

const changesNothing = [
  'testLlmProvider',
  'testSavedLlmProvider',
  'testIdentityProvider',
  'finishIdentityProviderTest',
  'checkBlacklist',
  'previewGovernance',
  'replayPolicy',
  'previewBudgetDefault',
  'replayBudget',
  'retryMail',
  'createPaymentIntent',
  'paySimulated',
  'authenticateSimulated',
  'paySubscription',
  'retryFailedWebhooks',
  'runJob',
];

const ofUsers: readonly string[] = permissionsOfRole('user');
const governing = rows.filter(
  ([name, { surface, method, permission }]) =>
    surface === 'management' &&
    method !== 'GET' &&
    !changesNothing.includes(name) &&
    permission !== 'anyone' &&
    (permission === 'teams.manage' || !ofUsers.includes(permission)),
);

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
  for (const [rowName, row] of governing) {
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

describe('audit log', () => {
  it.for(governing)(
    'the audit log contains the action, the actor and the IP address of %s',
    async ([rowName, row], { skip }) => {
      const ready = prepared.get(rowName);
      // The access matrix reports requests that it cannot create.
      if (!ready || ready instanceof Error) return skip();
      const { status, body, headers } = await send(worker.origin, row, ready);
      expect(status, body).toBe(row.status ?? 200);
      const { rows: entries } = await database.pool.query(
        'SELECT DISTINCT action, actor_id, address FROM audit_entries WHERE request_id = $1',
        [headers['x-request-id']],
      );
      expect(
        entries,
        `${rowName} leaves no entry: audit its table, or list it here as one that changes nothing`,
      ).toEqual([{ action: rowName, actor_id: ready.caller.userId, address: '127.0.0.1' }]);
    },
  );

  /**
   * Actions that change a row in two steps: a rotated key refers to its replacement once that exists, and subscriptions
   * change again after the payment provider has confirmed.
   */
  const inTwoSteps = [
    'rotateApiKey',
    'regenerateUserApiKey',
    'changeTenantSubscription',
    'cancelTenantSubscription',
  ];

  it('the audit log has one entry per action and object', async () => {
    const { rows: repeated } = await database.pool.query(
      `SELECT action, object_type, count(*)::int AS entries FROM audit_entries
       WHERE request_id IS NOT NULL AND action <> ALL ($1)
       GROUP BY request_id, action, object_type, object_id HAVING count(*) > 1 ORDER BY action`,
      [inTwoSteps],
    );
    expect(repeated).toEqual([]);
  });

  it('every audit entry of a request has an actor', async () => {
    const { rows: nameless } = await database.pool.query(
      'SELECT object_type, after FROM audit_entries WHERE request_id IS NOT NULL AND actor_id IS NULL',
    );
    expect(nameless).toEqual([]);
  });
});
