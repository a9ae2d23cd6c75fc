import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { apiKeysRoutes, createClient, tasksRoutes, usersRoutes } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import pg from 'pg';
import { createKeyring } from '#platform/keyring.ts';
import { startDatabaseProxy } from '../database/database-proxy.ts';
import { createSeeder, type Seeder } from '../database/seed.ts';
import { signIn } from '../providers/outside-provider.ts';
import { createSluice, type SluiceProcess } from './sluice-process.ts';

export const withdrawals = [
  'revoked key',
  'blocked user',
  'deactivated user',
  'removed grant',
  'blacklist entry',
  'deactivated team',
  'closed task',
] as const;
export type Withdrawal = (typeof withdrawals)[number];

export type Person = Awaited<ReturnType<Seeder['addPerson']>>;

export interface NodeFleet {
  readonly nodes: readonly SluiceProcess[];
  readonly pool: pg.Pool;
  readonly sandbox: Sandbox;
  /** Adds a user with a grant, a team, or a grant with a task key. Waits until every node accepts the user. */
  addPerson(by?: 'grant' | 'team' | 'task key'): Promise<Person>;
  takeAway(kind: Withdrawal, person: Person): Promise<unknown>;
  /** Revokes a permission at the first node. Resolves with the milliseconds until the last node rejected the user. */
  withdraw(kind: Withdrawal): Promise<number>;
  cutNotifications(): void;
  remove(): Promise<void>;
}

const nodeCount = 3;
const model = 'sandbox-normal';
/** Model whose responses stream for one minute. */
export const pacedModel = 'sandbox-normal:tokens=6000,interval_ms=10';
const askEveryMs = 10;
const giveUpMs = 15_000;

/** The database may be empty. */
export async function startNodeFleet(databaseUrl: string): Promise<NodeFleet> {
  await using cleanup = new AsyncDisposableStack();
  const secret = randomBytes(32).toString('base64url');
  const sandbox = await startSandbox();
  cleanup.defer(() => sandbox.close());
  const notifications = await startDatabaseProxy(databaseUrl);
  cleanup.defer(() => notifications.close());
  const nodes = await startNodes(databaseUrl, notifications.connectionString, secret, cleanup);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => undefined);
  cleanup.defer(() => pool.end());
  const seed = await createSeeder(pool, createKeyring(secret), sandbox.origin);
  const instanceId = await seed.addInstance({ name: 'outside', models: [model, pacedModel] });
  const client = await signIn(firstOf(nodes));
  const blockedIds: number[] = [];
  const withdrawers = createWithdrawers(pool, client, blockedIds);
  const running = cleanup.move();
  let people = 0;

  async function addPerson(by: 'grant' | 'team' | 'task key' = 'grant'): Promise<Person> {
    const owner = await seed.addPerson({ name: `person-${people++}`, role: 'user' });
    if (by === 'team') await addTeam(pool, owner, instanceId);
    else await addGrant(pool, owner, instanceId);
    const person = by === 'task key' ? await useTaskKey(pool, firstOf(nodes).origin, owner) : owner;
    await Promise.all(nodes.map((node) => untilServed(node.origin, person.apiKey)));
    return person;
  }

  async function withdraw(kind: Withdrawal): Promise<number> {
    const person = await addPerson(grantedBy[kind]);
    // The time starts with the request, since its response waits until the change is effective on that node.
    const askedAtMs = performance.now();
    await withdrawers[kind](person);
    await Promise.all(nodes.map((node) => untilWithdrawn(node.origin, person.apiKey)));
    const appliedAfterMs = performance.now() - askedAtMs;
    await pool.query('DELETE FROM blacklist_entries WHERE id = ANY($1)', [blockedIds.splice(0)]);
    return appliedAfterMs;
  }

  return {
    nodes,
    pool,
    sandbox,
    addPerson,
    takeAway: (kind, person) => withdrawers[kind](person),
    withdraw,
    cutNotifications: notifications.freeze,
    remove: () => running.disposeAsync(),
  };
}

/** Source of the access that each withdrawal revokes. Defaults to a grant. */
const grantedBy: { readonly [Kind in Withdrawal]?: 'team' | 'task key' } = {
  'deactivated team': 'team',
  'closed task': 'task key',
};

/** Returns the user with the task key only. */
async function useTaskKey(pool: pg.Pool, origin: string, person: Person): Promise<Person> {
  const { rows } = await pool.query<{ id: number }>(
    `WITH task AS (
       INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
       VALUES ($1, 'A task', 'A task of the tests', 'coding', 'beginner', 1) RETURNING id
     )
     INSERT INTO task_assignments (tenant_id, task_id, user_id) SELECT $1, id, $2 FROM task RETURNING id`,
    [person.tenantId, person.userId],
  );
  const headers = { authorization: `Bearer ${person.apiKey}` };
  const client = createClient(apiKeysRoutes, { baseUrl: origin, headers: () => headers });
  const { api_key: apiKey } = await client.createTaskKey({ params: { id: firstOf(rows).id } });
  return { ...person, apiKey };
}

async function startNodes(
  databaseUrl: string,
  notificationsUrl: string,
  secret: string,
  cleanup: AsyncDisposableStack,
): Promise<SluiceProcess[]> {
  const nodes = await Promise.all(
    Array.from({ length: nodeCount }, () =>
      createSluice({
        DATABASE_URL: databaseUrl,
        DATABASE_DIRECT_URL: notificationsUrl,
        SLUICE_SECRET: secret,
        SLUICE_WORKERS: '1',
        SLUICE_SANDBOX: '0',
        SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
        LOG_LEVEL: 'silent',
      }),
    ),
  );
  for (const node of nodes) cleanup.defer(() => node.remove());
  await Promise.all(nodes.map((node) => node.start()));
  return nodes;
}

/** Records the ids of added blacklist entries. */
function createWithdrawers(
  pool: pg.Pool,
  client: Awaited<ReturnType<typeof signIn>>,
  blockedIds: number[],
): Record<Withdrawal, (person: Person) => Promise<unknown>> {
  return {
    'revoked key': ({ userId: id }) =>
      createClient(apiKeysRoutes, client).revokeUserApiKey({ params: { id } }),
    'blocked user': ({ userId: id }) =>
      createClient(usersRoutes, client).blockUser({ params: { id }, query: { reason: 'a test' } }),
    'deactivated user': ({ userId: id }) =>
      createClient(usersRoutes, client).updateUser({ params: { id }, body: { is_active: false } }),
    'removed grant': ({ userId }) =>
      pool.query('DELETE FROM user_provider_access WHERE user_id = $1', [userId]),
    'blacklist entry': async ({ tenantId }) => {
      const { rows } = await pool.query<{ id: number }>(
        `INSERT INTO blacklist_entries (tenant_id, provider_key, model_pattern, reason)
         VALUES ($1, 'custom', $2, 'a test') RETURNING id`,
        [tenantId, model],
      );
      blockedIds.push(...rows.map(({ id }) => id));
    },
    'deactivated team': ({ userId }) =>
      pool.query(
        'UPDATE teams SET is_active = false WHERE id IN (SELECT team_id FROM team_members WHERE user_id = $1)',
        [userId],
      ),
    'closed task': async ({ userId }) => {
      const { rows } = await pool.query<{ id: number }>(
        "SELECT task_id AS id FROM api_keys WHERE user_id = $1 AND kind = 'task'",
        [userId],
      );
      const params = { id: firstOf(rows).id };
      await createClient(tasksRoutes, client).updateTask({ params, body: { is_active: false } });
    },
  };
}

async function addGrant(pool: pg.Pool, { tenantId, userId }: Person, instanceId: number): Promise<void> {
  await pool.query(
    `INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, $4)`,
    [tenantId, userId, instanceId, [model, pacedModel]],
  );
}

async function addTeam(pool: pg.Pool, { tenantId, userId, name }: Person, instanceId: number): Promise<void> {
  await pool.query(
    `WITH team AS (INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id),
       member AS (INSERT INTO team_members (tenant_id, team_id, user_id) SELECT $1, id, $3 FROM team)
     INSERT INTO team_provider_access (tenant_id, team_id, llm_provider_id, allowed_models)
     SELECT $1, id, $4, $5 FROM team`,
    [tenantId, name, userId, instanceId, [model, pacedModel]],
  );
}

export function firstOf<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error('the list is empty');
  return first;
}

async function untilWithdrawn(origin: string, apiKey: string): Promise<void> {
  const endsAtMs = performance.now() + giveUpMs;
  while (await mayUse(origin, apiKey)) {
    if (performance.now() > endsAtMs)
      throw new Error(`${origin} did not apply a change within ${giveUpMs} ms`);
    await pause(askEveryMs);
  }
}

/** Waits until the node serves a request. The node loads its tables in parallel. */
async function untilServed(origin: string, apiKey: string): Promise<void> {
  const endsAtMs = performance.now() + giveUpMs;
  for (;;) {
    const answer = await fetch(`${origin}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    const text = await answer.text();
    if (answer.status === 200) return;
    if (performance.now() > endsAtMs) throw new Error(`${origin} does not serve a new user: ${text}`);
    await pause(askEveryMs);
  }
}

async function mayUse(origin: string, apiKey: string): Promise<boolean> {
  const answer = await fetch(`${origin}/api/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await answer.text();
  return answer.status === 200 && text.includes(JSON.stringify(model));
}
