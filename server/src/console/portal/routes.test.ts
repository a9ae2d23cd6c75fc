import { portalRoutes, tasksRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTasksHandlers } from '#console/tasks/routes.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createPortalHandlers } from './routes.ts';

const allRoutes = { ...portalRoutes, ...tasksRoutes };

let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof allRoutes>>>;
let admin: Principal;
let mara: Principal;
let tom: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const handlers = { ...createPortalHandlers(), ...createTasksHandlers() };
  const console = createTestConsole(database.pool, allRoutes, handlers);
  as = (principal) => console({ principal });
  const kathmandu = await addTenant(database.pool, 'One', { timeZone: 'Asia/Kathmandu' });
  admin = await addPerson(database.pool, kathmandu, 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, kathmandu, 'user', 'mara@one.test');
  tom = await addPerson(database.pool, kathmandu, 'user', 'tom@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
});
afterAll(() => database.close());
beforeEach(() =>
  run(
    'TRUNCATE usage_rollups, request_logs, request_log_bodies, api_keys, tasks, task_assignments, allowances CASCADE',
  ),
);

const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values);

const use = (atSql: string, owner = mara, requests = 1) =>
  run(
    `INSERT INTO usage_rollups (bucket_start, node_slot, tenant_id, user_id, api_key_id, provider_key, model, intent,
       requests, input_tokens, output_tokens)
     VALUES (date_bin('15 minutes', ${atSql}, 'epoch'), 0, $1, $2, 1, 'openai', 'gpt-5', 'coding', $3::integer, $3::integer * 10, $3::integer * 5)`,
    owner.tenantId,
    owner.userId,
    requests,
  );

interface Row {
  at: string;
  owner?: Principal;
  prompt?: string;
  status?: string;
}

async function addLog({ at, owner = mara, prompt = 'Hello', status = 'success' }: Row): Promise<string> {
  const { rows } = await run(
    `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, status, http_status, is_stream, attempts,
       received_at, response_time_ms, usage_source)
     VALUES (overlay(overlay(uuid_floor($1::timestamptz)::text placing '7' from 15) placing '8' from 20)::uuid,
       $2, $3, 'openai-chat', 'chat', $4, 200, false, 1, $1, 12.5, 'provider') RETURNING id`,
    at,
    owner.tenantId,
    owner.userId,
    status,
  );
  await run(
    `INSERT INTO request_log_bodies (id, tenant_id, prompt, response, request_bytes, response_bytes)
     VALUES ($1, $2, $3, 'Hi', 0, 0)`,
    rows[0].id,
    owner.tenantId,
    prompt,
  );
  return rows[0].id;
}

async function assign(title: string, owner = mara): Promise<number> {
  const { id } = await as(admin).createTask({ body: { title, description: `${title}, all of it` } });
  return (await as(admin).createTaskAssignment({ body: { task_id: id, user_id: owner.userId } })).id;
}

const idsOf = async (query: object, owner = mara) =>
  (await as(owner).listUserLogs({ query })).map(({ id }) => id);

describe('own figures', () => {
  it("getUserStats returns only the caller's usage", async () => {
    await use('now()', mara, 2);
    await use("now() - interval '50 days'", mara, 3);
    await use('now()', tom, 100);
    await use('now()', stranger, 100);
    expect(await as(mara).getUserStats()).toMatchObject({
      total_tokens_used: 75,
      total_requests: 5,
      tokens_today: 30,
      requests_today: 2,
    });
    expect((await as(mara).getUserProfile()).total_tokens_used).toBe(75);
  });

  it('getUserStats counts active tasks, except those disabled by an administrator', async () => {
    await assign('One');
    await assign('Two');
    const done = await assign('Three');
    await assign('Of Tom', tom);
    await as(mara).completeTask({ params: { id: done } });
    await run("UPDATE tasks SET is_active = false WHERE title = 'Two'");
    expect(await as(mara).getUserStats()).toMatchObject({ active_tasks: 1, completed_tasks: 1 });
  });

  it('getUserStats returns the score with its current decay', async () => {
    await run(
      "UPDATE users SET deviation_score = 0.8, deviation_scored_at = now() - interval '365 days' WHERE id = $1",
      mara.userId,
    );
    expect((await as(mara).getUserStats()).current_deviation_score).toBeLessThan(0.1);
    await run('UPDATE users SET deviation_scored_at = now() WHERE id = $1', mara.userId);
    expect((await as(mara).getUserStats()).current_deviation_score).toBeCloseTo(0.8, 2);
    await run('UPDATE users SET deviation_score = 0, deviation_scored_at = NULL WHERE id = $1', mara.userId);
  });
});

describe('own daily usage', () => {
  it("listUserDailyUsage returns each of the last days of the tenant's calendar with its requests", async () => {
    // Use the first quarter of an hour of today in Kathmandu, and the last one of yesterday.
    const midnight = "((now() AT TIME ZONE 'Asia/Kathmandu')::date::timestamp AT TIME ZONE 'Asia/Kathmandu')";
    await use(midnight, mara, 2);
    await use(`${midnight} - interval '1 minute'`, mara, 1);
    await use(midnight, tom, 50);
    const days = await as(mara).listUserDailyUsage({ query: { days: 7 } });
    const { rows } = await run("SELECT (now() AT TIME ZONE 'Asia/Kathmandu')::date::text AS today");
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toEqual({ date: rows[0].today, tokens: 30, requests: 2, cost_usd: 0 });
    expect(days.at(-2)).toMatchObject({ tokens: 15, requests: 1 });
    expect(days.slice(0, 5).every(({ tokens, requests }) => tokens === 0 && requests === 0)).toBe(true);
  });

  it('listUserDailyUsage returns 30 days by default and at most 90', async () => {
    expect(await as(mara).listUserDailyUsage({ query: {} })).toHaveLength(30);
    expect(await as(mara).listUserDailyUsage({ query: { days: 90 } })).toHaveLength(90);
    for (const days of [0, 91, 1.5])
      await expect(as(mara).listUserDailyUsage({ query: { days } })).rejects.toThrow('"days"');
  });
});

describe('own requests', () => {
  it("listUserLogs returns only the caller's requests, newest first, even for an administrator", async () => {
    const first = await addLog({ at: '2026-11-20T10:00:00Z' });
    const second = await addLog({ at: '2026-11-20T11:00:00Z' });
    await addLog({ at: '2026-11-20T10:00:01Z', owner: tom });
    await addLog({ at: '2026-11-20T10:00:02Z', owner: stranger });
    expect(await idsOf({})).toEqual([second, first]);
    expect(await idsOf({ skip: 1 })).toEqual([first]);
    expect(await idsOf({}, admin)).toEqual([]);
  });

  it('listUserLogs filters by status, text and days of the tenant', async () => {
    // In Kathmandu, November 20 starts at 18:15 UTC on November 19.
    await addLog({ at: '2026-11-19T18:00:00Z', prompt: 'The day before' });
    const early = await addLog({ at: '2026-11-19T18:20:00Z', prompt: 'Write a parser' });
    const refused = await addLog({ at: '2026-11-20T12:00:00Z', status: 'refused' });
    const day = { start_date: '2026-11-20', end_date: '2026-11-20' };
    expect(await idsOf(day)).toEqual([refused, early]);
    expect(await idsOf({ status: 'refused' })).toEqual([refused]);
    expect(await idsOf({ search: 'PARSER' })).toEqual([early]);
    expect(await idsOf({ task_id: 999 })).toEqual([]);
  });

  it('listUserLogs rejects dates in the wrong order and a filter by user', async () => {
    const reversed = { start_date: '2026-11-02', end_date: '2026-11-01' };
    for (const call of ['listUserLogs', 'exportUserLogs'] as const) {
      await expect(as(mara)[call]({ query: reversed })).rejects.toThrow(
        'The end date must not be before the start date',
      );
      await expect(as(mara)[call]({ query: { user_id: tom.userId } as never })).rejects.toThrow(
        'Unknown field: user_id',
      );
    }
  });

  it("exportUserLogs contains only the caller's requests, and no cell starts a formula", async () => {
    const id = await addLog({ at: '2026-11-20T10:00:00Z', prompt: '=HYPERLINK("http://evil.test")' });
    await addLog({ at: '2026-11-20T10:00:01Z', owner: tom, prompt: 'of Tom' });
    const csv = await (await as(mara).exportUserLogs({ query: {} })).text();
    expect(csv.trimEnd().split('\r\n')).toHaveLength(2);
    expect(csv).toContain(id);
    expect(csv).not.toContain('of Tom');
    expect(csv).not.toMatch(/(^|,|\n)"?=HYPERLINK/);
    const jsonl = await (await as(mara).exportUserLogs({ query: { format: 'jsonl' } })).text();
    expect(JSON.parse(jsonl)).toMatchObject({ id, prompt: '=HYPERLINK("http://evil.test")' });
  });
});

it('exportUserLogs returns the page that limit and skip select, like listUserLogs', async () => {
  for (let second = 0; second < 4; second++) await addLog({ at: `2026-11-20T10:00:0${second}Z` });
  for (const page of [{ skip: 1, limit: 2 }, { limit: 1 }, { skip: 3, limit: 9 }, { skip: 9 }]) {
    const listed = await as(mara).listUserLogs({ query: page });
    const jsonl = await (await as(mara).exportUserLogs({ query: { ...page, format: 'jsonl' } })).text();
    const exported = jsonl.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).id]));
    expect(exported).toEqual(listed.map(({ id }) => id));
  }
});

describe('own tasks', () => {
  it('listUserTasks lists tasks newest first with the usage of each', async () => {
    const first = await assign('One');
    const second = await assign('Two');
    await assign('Of Tom', tom);
    await run('UPDATE allowances SET settled = 42 WHERE subject_id = $1', first);
    const fresh = { status: 'active', is_task_active: true, completion_date: null };
    expect(await as(mara).listUserTasks()).toMatchObject([
      { ...fresh, id: second, task_title: 'Two', tokens_used: 0 },
      { ...fresh, id: first, task_title: 'One', tokens_used: 42 },
    ]);
  });

  it("listUserTasks returns the cost of the caller's own requests for each task", async () => {
    const id = await assign('One');
    const { task_id: taskId = 0 } = (await as(mara).listUserTasks())[0] ?? {};
    await as(admin).createTaskAssignment({ body: { task_id: taskId, user_id: tom.userId } });
    for (const [owner, nanoUsd] of [
      [mara, 4_000_000],
      [tom, 9_000_000],
    ] as const)
      await run(
        `INSERT INTO usage_rollups (bucket_start, node_slot, tenant_id, user_id, task_id, requests, user_llm_nano_usd)
         VALUES (date_bin('15 minutes', now(), 'epoch'), 0, $1, $2, $3, 1, $4)`,
        owner.tenantId,
        owner.userId,
        taskId,
        nanoUsd,
      );
    expect(await as(mara).listUserTasks()).toMatchObject([
      { id, spend_usd_today: 0.004, spend_usd_month: 0.004, spend_usd_last_month: 0 },
    ]);
  });

  it("updateTaskProgress stores the caller's notes", async () => {
    const id = await assign('One');
    const body = { progress_notes: 'Half done' };
    expect(await as(mara).updateTaskProgress({ params: { id }, body })).toMatchObject({ id, ...body });
    expect(await as(mara).listUserTasks()).toMatchObject([body]);
    const long = { progress_notes: 'x'.repeat(10_001) };
    await expect(as(mara).updateTaskProgress({ params: { id }, body: long })).rejects.toThrow(
      'Progress notes must be at most 10,000 characters',
    );
  });

  it('completeTask completes a task once and then returns 409', async () => {
    const params = { id: await assign('One') };
    const done = await as(mara).completeTask({ params });
    expect(done.status).toBe('completed');
    expect(done.completion_date).not.toBeNull();
    await expect(as(mara).completeTask({ params })).rejects.toMatchObject({
      status: 409,
      message: 'This task is already completed',
    });
    expect(await as(mara).listUserTasks()).toEqual([done]);
  });

  it('task routes return 404 for tasks of other users and tenants', async () => {
    const params = { id: await assign('One') };
    const body = { progress_notes: 'Mine now' };
    for (const other of [tom, admin, stranger]) {
      const calls = [
        () => as(other).completeTask({ params }),
        () => as(other).updateTaskProgress({ params, body }),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 404 });
    }
    expect(await as(mara).listUserTasks()).toMatchObject([{ status: 'active', progress_notes: '' }]);
  });
});

describe('own profile', () => {
  it('updateUserProfile trims and changes the name, and changes nothing else', async () => {
    const body = { name: '  Mara Lind ' };
    const { name, email, role } = await as(mara).updateUserProfile({ body });
    expect({ name, email, role: role.name }).toEqual({
      name: 'Mara Lind',
      email: 'mara@one.test',
      role: 'user',
    });
    expect((await as(tom).getUserProfile()).name).toBe('tom');
    await expect(as(mara).updateUserProfile({ body: { name: ' ' } })).rejects.toThrow('Name is required');
    const withEmail = { name: 'Mara', email: 'other@one.test' } as never;
    await expect(as(mara).updateUserProfile({ body: withEmail })).rejects.toThrow('Unknown field: email');
  });
});

describe('own keys', () => {
  it('listOwnApiKeys returns keys without secrets, including revoked ones, and is empty without keys', async () => {
    expect(await as(mara).listOwnApiKeys()).toEqual({ api_keys: [], may_regenerate: false });
    await run(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, revoked_at)
       VALUES ($1, $2, 'Laptop', 'secret-hash', 'wxyz', '{models}', now())`,
      mara.tenantId,
      mara.userId,
    );
    const answer = await as(mara).listOwnApiKeys();
    expect(answer.api_keys).toMatchObject([{ name: 'Laptop', is_active: false, scopes: ['models'] }]);
    expect(answer.api_keys[0]?.masked_key).toMatch(/wxyz$/);
    expect(JSON.stringify(answer)).not.toContain('secret-hash');
    expect(await as(tom).listOwnApiKeys()).toEqual({ api_keys: [], may_regenerate: false });
  });
});
