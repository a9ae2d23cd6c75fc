import { apiKeysRoutes, portalRoutes, tasksRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPortalHandlers } from '#console/portal/routes.ts';
import { createTasksHandlers } from '#console/tasks/routes.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createApiKeysHandlers } from './routes.ts';

let database: TestDatabase;
let keys: ReturnType<typeof createTestConsole<typeof apiKeysRoutes>>;
let portal: ReturnType<typeof createTestConsole<typeof portalRoutes>>;
let tasks: ReturnType<typeof createTestConsole<typeof tasksRoutes>>;
let admin: Principal;
let mara: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  const handlers = createApiKeysHandlers({ keyring: createKeyring('test') });
  keys = createTestConsole(pool, apiKeysRoutes, handlers);
  portal = createTestConsole(pool, portalRoutes, createPortalHandlers());
  tasks = createTestConsole(pool, tasksRoutes, createTasksHandlers());
  admin = await addPerson(pool, await addTenant(pool, 'One'), 'admin', 'admin@one.test');
  mara = await addPerson(pool, admin.tenantId, 'user', 'mara@one.test');
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM api_keys'));

async function addTask({ tenantId, userId }: Principal = mara) {
  const { rows } = await database.pool.query<{ id: number; taskId: number }>(
    `WITH task AS (
       INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
       VALUES ($1, 'A task', 'A task of the tests', 'coding', 'beginner', 1) RETURNING id
     )
     INSERT INTO task_assignments (tenant_id, task_id, user_id) SELECT $1, id, $2 FROM task
     RETURNING id, task_id AS "taskId"`,
    [tenantId, userId],
  );
  return rows[0]!;
}

const createKey = (assignmentId: number, body: object = {}, principal: Principal = mara) =>
  keys({ principal }).createTaskKey({ params: { id: assignmentId }, body });

async function readStates(): Promise<string[]> {
  return (await keys({ principal: admin }).listApiKeys({})).map(({ state }) => state);
}

async function addParent(limits = {}) {
  const body = { user_id: mara.userId, name: 'agent host', ...limits };
  const { key } = await keys({ principal: admin }).createApiKey({ body });
  const credential = { kind: 'api_key' as const, apiKeyId: key.id, name: key.name, scopes: [], limits: null };
  const principal: Principal = { ...mara, credential };
  return { key, principal };
}

describe('createTaskKey', () => {
  it('createTaskKey creates a key for the task that expires after 8 hours by default', async () => {
    const { id, taskId } = await addTask();
    const { api_key, key } = await createKey(id);
    expect(api_key).toMatch(/^slc_/);
    expect(key).toMatchObject({ kind: 'task', state: 'active', task_id: taskId, name: `Task ${taskId}` });
    const hours = (Date.parse(key.expires_at ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(7.9);
    expect(hours).toBeLessThanOrEqual(8);
  });

  it.each<[name: string, makeId: () => Promise<number>, status: number]>([
    ["another user's assignment", async () => (await addTask(admin)).id, 404],
    ['a missing assignment', async () => 2_147_483_647, 404],
    [
      'a completed assignment',
      async () => {
        const { id } = await addTask();
        await portal({ principal: mara }).completeTask({ params: { id } });
        return id;
      },
      409,
    ],
    [
      'an inactive task',
      async () => {
        const { id, taskId } = await addTask();
        await database.pool.query('UPDATE tasks SET is_active = false WHERE id = $1', [taskId]);
        return id;
      },
      409,
    ],
  ])('createTaskKey rejects %s', async (_, makeId, status) => {
    await expect(createKey(await makeId())).rejects.toMatchObject({ status });
  });

  it('createTaskKey accepts at most 50 valid keys per user, even among concurrent calls', async () => {
    const { id } = await addTask();
    await database.pool.query(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, kind, expires_at)
       SELECT $1, $2, 'old', uuid_send(gen_random_uuid()), 'abcd', '{models}', 'task', now() + interval '1 hour'
       FROM generate_series(1, 45)`,
      [mara.tenantId, mara.userId],
    );
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => createKey(id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  it('task keys do not count as named keys', async () => {
    const { id } = await addTask();
    for (let made = 0; made < 6; made++) await createKey(id);
    expect((await addParent()).key.state).toBe('active');
  });

  it('a task key can be revoked, but not changed or rotated', async () => {
    const { key } = await createKey((await addTask()).id);
    const call = { params: { id: key.id } };
    const console = keys({ principal: admin });
    await expect(console.updateApiKey({ ...call, body: { name: 'x' } })).rejects.toMatchObject({
      status: 409,
    });
    await expect(console.rotateApiKey(call)).rejects.toMatchObject({ status: 409 });
    expect(await keys({ principal: mara }).revokeOwnApiKey(call)).toMatchObject({ state: 'revoked' });
  });
});

describe('task keys that are created with an API key', () => {
  it('a task key inherits the restrictions of the key that creates it, and does not outlive it', async () => {
    const expires_at = new Date(Date.now() + 600_000).toISOString();
    const limits = {
      allowed_networks: ['192.0.2.0/24'],
      dialects: ['gemini'],
      labels: { a: 'b' },
      scopes: ['models'],
    };
    const { principal } = await addParent({ ...limits, expires_at });
    const { key } = await createKey((await addTask()).id, {}, principal);
    expect(key).toMatchObject({ ...limits, expires_at });
  });

  it('revoking a key revokes the task keys that it has created, and no others', async () => {
    const { id } = await addTask();
    const { key, principal } = await addParent();
    await createKey(id, {}, principal);
    await createKey(id);
    await keys({ principal: admin }).revokeApiKey({ params: { id: key.id } });
    expect(await readStates()).toEqual(['active', 'revoked', 'revoked']);
  });

  it('a revoked key cannot create task keys', async () => {
    const { key, principal } = await addParent();
    await keys({ principal: admin }).revokeApiKey({ params: { id: key.id } });
    await expect(createKey((await addTask()).id, {}, principal)).rejects.toMatchObject({ status: 401 });
  });
});

interface Assigned {
  id: number;
  taskId: number;
}

const closings: Record<string, (assigned: Assigned) => Promise<unknown>> = {
  'the user completes the assignment': ({ id }) =>
    portal({ principal: mara }).completeTask({ params: { id } }),
  'an administrator cancels the assignment': ({ id }) =>
    tasks({ principal: admin }).updateTaskAssignment({ params: { id }, body: { status: 'cancelled' } }),
  'an administrator completes the assignment': ({ id }) =>
    tasks({ principal: admin }).updateTaskAssignment({ params: { id }, body: { status: 'completed' } }),
  'an administrator assigns the task to another user': ({ id }) =>
    tasks({ principal: admin }).updateTaskAssignment({ params: { id }, body: { user_id: admin.userId } }),
  'an administrator deactivates the task': ({ taskId }) =>
    tasks({ principal: admin }).updateTask({ params: { id: taskId }, body: { is_active: false } }),
  'an administrator deletes the task': ({ taskId }) =>
    tasks({ principal: admin }).deleteTask({ params: { id: taskId } }),
  'the row of the assignment is deleted': ({ id }) =>
    database.pool.query('DELETE FROM task_assignments WHERE id = $1', [id]),
};

describe.each(Object.entries(closings))('when %s', (_, close) => {
  it('task keys are revoked when their task or assignment is closed, but other keys are not', async () => {
    const assigned = await addTask();
    await createKey(assigned.id);
    await addParent();
    await createKey((await addTask()).id);
    await close(assigned);
    expect(await readStates()).toEqual(['active', 'active', 'revoked']);
  });

  it('task keys created while their task or assignment is being closed do not remain valid', async () => {
    for (let round = 0; round < 5; round++) {
      await database.pool.query('DELETE FROM api_keys');
      const assigned = await addTask();
      const calls = [createKey(assigned.id), close(assigned), createKey(assigned.id)];
      const [, closed] = await Promise.allSettled(calls);
      expect(closed).toMatchObject({ status: 'fulfilled' });
      expect(await readStates()).not.toContain('active');
    }
  });
});
