import { randomUUIDv7 } from 'node:crypto';
import { pathOf, type RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { rows, workerVariables } from './attempts.ts';
import { addCaller, type Caller, callerKinds } from './callers.ts';
import { objectKindOf } from './objects.ts';
import { createWorld, type World } from './world.ts';

const fieldsOf = ({ request }: RouteRow) =>
  request?.query instanceof z.ZodObject ? Object.keys(request.query.shape) : [];
const isPaged = ([, row]: (typeof rows)[number]) =>
  row.method === 'GET' && !row.download && ['skip', 'offset'].some((field) => fieldsOf(row).includes(field));
const isAnchored = ([, row]: (typeof rows)[number]) =>
  row.method === 'GET' && fieldsOf(row).includes('before');

/** Lists sorted by name: a new row appears between others, not before them. */
const sortedByName = ['listUsers', 'listTeams', 'listTenants'];

/** Lists sorted by the used share of the limit: a new budget has used nothing and is last. */
const sortedByUse = ['listBudgets'];

/** Lists sorted by state: unconfirmed identities are first, regardless of what was added later. */
const sortedByState = ['listUserIdentities'];

/** Lists sorted oldest first: later rows are last. */
const sortedByPosition = ['listShadowRequests'];

const routesOfRows: Readonly<Record<string, string>> = {
  listUserAccess: 'updateUserAccess',
  listTeamAccess: 'updateTeamAccess',
  listTaskAssignments: 'updateTaskAssignment',
  listMails: 'retryMail',
  listAppeals: 'decideAppeal',
  listComparisons: 'getComparison',
  listAllComparisons: 'getComparison',
  listLogs: 'getLog',
  listUserLogs: 'getLog',
  listAuditEntries: 'getAuditEntry',
  listInvitations: 'cancelInvitation',
  listApiKeys: 'revokeApiKey',
  listManagementTokens: 'revokeManagementToken',
  listWebhookEvents: 'getWebhookEvent',
};

let database: TestDatabase;
let worker: RunningServer;
let world: World;
let caller: Caller;

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  caller = await addCaller(world, callerKinds.find(({ name }) => name === 'super_admin')!);
  const { connectionString } = database;
  worker = await startWorker({ connectionString, variables: workerVariables });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

async function addRow(listName: string): Promise<void> {
  if (listName.endsWith('Transactions')) return addTransaction();
  if (listName === 'listPromptReads') return addPromptRead();
  const rowName = routesOfRows[listName];
  const route = rows.find(([name]) => name === rowName)?.[1];
  if (!rowName || !route) throw new Error(`${listName} needs a route of its rows in routesOfRows`);
  const wanted = { tenant: world.home, userId: caller.userId!, owner: 'own' as const, rowName };
  await objectKindOf(rowName, route)!.make(world, wanted);
}

async function addTransaction(): Promise<void> {
  const response = await fetch(`${worker.origin}/api/v1/credits/recharge`, {
    method: 'POST',
    headers: {
      authorization: caller.authorization!,
      'content-type': 'application/json',
      'idempotency-key': randomUUIDv7(),
    },
    body: JSON.stringify({ amount: 1, description: 'test' }),
  });
  expect(response.status).toBe(201);
}

async function addPromptRead(): Promise<void> {
  await database.pool.query(
    `INSERT INTO audit_entries (tenant_id, object_type, object_id, after)
     VALUES ($1, 'prompt', gen_random_uuid(), jsonb_build_object('user_id', $2::int))`,
    [world.home.id, caller.userId],
  );
}

interface ListPage {
  readonly ids: readonly (string | number)[];
  readonly total: string | null;
}

async function readPage(row: RouteRow, query: Record<string, string | number>): Promise<ListPage> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const response = await fetch(`${worker.origin}${pathOf(row)}?${search}`, {
    headers: { authorization: caller.authorization! },
  });
  expect(response.status, await response.clone().text()).toBe(200);
  // safe because the response is a list of rows, or an object with such a list
  const answer = (await response.json()) as { id: string }[] | { transactions: { id: string }[] };
  const found = Array.isArray(answer) ? answer : answer.transactions;
  return { ids: found.map(({ id }) => id), total: response.headers.get('x-total-count') };
}

async function addRows(listName: string, count: number): Promise<void> {
  for (let added = 0; added < count; added++) await addRow(listName);
}

describe('paged lists', () => {
  it('every paged list accepts `before`, except lists sorted by name, use, state or position', () => {
    const unanchored = rows.filter((route) => isPaged(route) && !isAnchored(route)).map(([name]) => name);
    expect(unanchored.toSorted()).toEqual(
      [...sortedByName, ...sortedByUse, ...sortedByState, ...sortedByPosition].toSorted(),
    );
  });

  it.for(rows.filter(isAnchored))(
    'pages of %s neither repeat nor skip rows while new ones arrive',
    async ([name, row]) => {
      await addRows(name, 6);
      const first = await readPage(row, { limit: 2 });
      const whole = await readPage(row, { limit: 6 });
      const before = first.ids.at(-1)!;
      await addRows(name, 3);
      const second = await readPage(row, { limit: 2, before });
      const skipName = ['skip', 'offset'].find((field) => fieldsOf(row).includes(field));
      const third = skipName
        ? await readPage(row, { limit: 2, before, [skipName]: 2 })
        : await readPage(row, { limit: 2, before: second.ids.at(-1)! });
      expect([...first.ids, ...second.ids, ...third.ids]).toEqual(whole.ids);
      const countOf = ({ total }: ListPage) => (total === null ? null : Number(total));
      if (whole.total !== null) expect(countOf(second)).toBe(Number(whole.total) - 2);
    },
  );
});
