import type { RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type Attempt, createPreparer, crossesTenants, rows, send, workerVariables } from './attempts.ts';
import { callerKinds } from './callers.ts';
import { addChat, addMember, addPaymentMethod, createWorld, type TestTenant, type World } from './world.ts';

const admin = callerKinds.find(({ name }) => name === 'admin')!;
const managed = rows.filter(
  ([, row]) => row.surface === 'management' && !crossesTenants(row) && row.permission !== 'anyone',
);
const missingId = 2_147_483_647;
const nowhere = 'nowhere-marker';
const missingUuid = '00000000-0000-7000-8000-000000000000';

type Id = number | string;

const ofEverybody = ['role_id', 'provider_registry_id', 'plan_id', 'client_id'];

let database: TestDatabase;
let world: World;
let worker: RunningServer;
let foreignIds: Record<string, Id>;
const attempts = new Map<string, Attempt | Error>();

beforeAll(async () => {
  database = await createTestDatabase();
  // These ids occur nowhere else in a response.
  for (const [index, table] of ['users', 'teams', 'tasks', 'task_assignments', 'llm_providers'].entries()) {
    await database.pool.query("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [
      table,
      900_000_000 + index * 1_000_000,
    ]);
  }
  world = await createWorld(database.pool);
  foreignIds = await makeIds(world.foreign);
  await makeIds(world.home);
  const prepare = createPreparer(world);
  for (const [rowName, row] of managed) {
    const prepared = await prepare({ rowName, row, kind: admin }).catch((error: Error) => error);
    attempts.set(rowName, prepared instanceof Error ? prepared : prepared[0]!);
  }
  worker = await startWorker({
    connectionString: database.connectionString,
    variables: workerVariables,
  });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

async function makeIds(tenant: TestTenant): Promise<Record<string, Id>> {
  const { userId } = await addMember(world, tenant, 'user');
  // The id is too long to occur in a response by chance, so its echo can be replaced.
  const { rows: made } = await database.pool.query<{
    team_id: number;
    task_id: number;
    task_assignment_id: number;
    api_key_id: number;
    budget_id: number;
  }>(
    `WITH team AS (INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id),
       task AS (
         INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
         VALUES ($1, $2, $2, 'coding', 'beginner', 1) RETURNING id),
       assignment AS (
         INSERT INTO task_assignments (tenant_id, task_id, user_id) SELECT $1, id, $3 FROM task RETURNING id),
       api_key AS (
         INSERT INTO api_keys (id, tenant_id, user_id, name, key_hash, last4, scopes) OVERRIDING SYSTEM VALUE
         VALUES (7654321 + $1, $1, $3, $2, uuid_send(gen_random_uuid()), 'last', '{models}') RETURNING id),
       budget AS (
         INSERT INTO budgets (id, tenant_id, user_id, model_pattern, measure, period, limit_amount) OVERRIDING SYSTEM VALUE
         VALUES (8654321 + $1, $1, $3, $2, 'usd', 'month', 50000000000) RETURNING id)
     SELECT team.id AS team_id, task.id AS task_id, assignment.id AS task_assignment_id,
       api_key.id AS api_key_id, budget.id AS budget_id FROM team, task, assignment, api_key, budget`,
    [tenant.id, tenant.marker, userId],
  );
  const { instanceId } = tenant;
  return {
    ...made[0]!,
    subject_id: made[0]!.team_id,
    user_id: userId,
    owner_id: userId,
    internal_user_id: userId,
    actor_id: userId,
    object_id: userId,
    llm_provider_id: instanceId,
    provider_id: instanceId,
    chat_id: await addChat(world, tenant, userId),
    payment_method_id: await addPaymentMethod(world, tenant),
  };
}

function listFilters({ request }: RouteRow): string[] {
  return Object.keys(request?.query?.shape ?? {});
}

const isId = (name: string) => /_ids?$/.test(name) && !ofEverybody.includes(name);

function idFor(name: string, isForeign: boolean): Id {
  const id = foreignIds[name.replace(/_ids$/, '_id')];
  if (id === undefined)
    throw new Error(`add an id for ${name} to makeIds in server/test/access/foreign-ids.test.ts`);
  if (isForeign) return id;
  return typeof id === 'string' ? missingUuid : missingId;
}

/** Removes the export entries of the audit log, since they contain the filters. */
const withoutExports = (text: string) =>
  text.replaceAll(/^.*,export,.*$|\{"id":\d+,[^[\]]*?"object_type":"export".*?"address":"[^"]*"\},?/gm, '');

/** Returns the response without echoes of the request. */
async function ask(row: RouteRow, { caller, id, input }: Attempt, asked: string | number) {
  const { status, body, headers } = await send(worker.origin, row, { caller, id, input });
  const requestId = headers['x-request-id'] ?? '';
  const text = body.replaceAll(String(asked), '{asked}').replaceAll(requestId, '{request}');
  return { requestId, answer: { status, total: headers['x-total-count'], text: withoutExports(text) } };
}

async function askBy(rowName: string, row: RouteRow, filter: string, value: string | number) {
  const attempt = attempts.get(rowName) as Attempt; // safe because the callers skip routes without an attempt
  const query = { ...attempt.input.query, [filter]: String(value) };
  return (await ask(row, { ...attempt, input: { ...attempt.input, query } }, value)).answer;
}

const filters = managed.flatMap(([rowName, row]) =>
  row.method === 'GET' ? listFilters(row).map((filter) => ({ rowName, row, filter })) : [],
);

describe('list filter', () => {
  it.for(filters.filter(({ filter }) => isId(filter)))(
    'filter $filter of $rowName does not distinguish ids of another tenant from unused ones',
    async ({ rowName, row, filter }, { skip }) => {
      if (attempts.get(rowName) instanceof Error) return skip();
      const foreign = await askBy(rowName, row, filter, idFor(filter, true));
      expect(foreign).toEqual(await askBy(rowName, row, filter, idFor(filter, false)));
    },
  );

  const texts = filters.filter(({ row, filter }) => {
    const schema = row.request?.query?.shape[filter] as z.ZodType; // safe because the filter is a field of this query schema
    return schema.safeParse(nowhere).success && !isId(filter);
  });
  it.for(texts)(
    'filter $filter of $rowName finds nothing by texts of another tenant',
    async ({ rowName, row, filter }, { skip }) => {
      if (attempts.get(rowName) instanceof Error) return skip();
      const foreign = await askBy(rowName, row, filter, world.foreign.marker);
      expect(foreign).toEqual(await askBy(rowName, row, filter, nowhere));
    },
  );

  it("the search filter of listTeams finds a team of the caller's own tenant", async () => {
    const [, row] = managed.find(([name]) => name === 'listTeams')!;
    const found = await askBy('listTeams', row, 'search', world.home.marker);
    expect(found).not.toEqual(await askBy('listTeams', row, 'search', nowhere));
  });
});

function findIds(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    isId(name) ? [[...path, name]] : findIds(inner, [...path, name]),
  );
}

function replaceAt(value: unknown, [name = '', ...rest]: readonly string[], id: Id): unknown {
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as object) }; // safe because every part of the path except the last is an object
  const inner = Reflect.get(copy, name);
  const written = Array.isArray(inner) ? [id] : id;
  Reflect.set(copy, name, rest.length > 0 ? replaceAt(inner, rest, id) : written);
  return copy;
}

describe('request body', () => {
  it.for(managed.filter(([, row]) => row.request?.body))(
    'an id in the body of %s cannot reference an object of another tenant or reveal that it exists',
    async ([rowName, row], { skip }) => {
      const attempt = attempts.get(rowName);
      if (!attempt || attempt instanceof Error) return skip();
      const paths = findIds(attempt.input.body);
      if (paths.length === 0) return skip('the body has no ids');
      for (const path of paths) {
        const name = path.at(-1) ?? '';
        const askFor = (id: Id) => {
          const body = replaceAt(attempt.input.body, path, id) as object; // safe because it is a copy of a body
          return ask(row, { ...attempt, input: { ...attempt.input, body } }, id);
        };
        const foreign = await askFor(idFor(name, true));
        const { rows: changes } = await database.pool.query(
          'SELECT object_type, after FROM audit_entries WHERE request_id = $1',
          [foreign.requestId],
        );
        expect(changes, path.join('.')).toEqual([]);
        expect(foreign.answer).toEqual((await askFor(idFor(name, false))).answer);
      }
    },
  );
});
