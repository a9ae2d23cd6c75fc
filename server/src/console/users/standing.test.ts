import { randomUUIDv7 } from 'node:crypto';
import { usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AllowanceKind, findWindow } from '#domain/allowance/window.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createUsersHandlers } from './routes.ts';

const timeZone = 'Asia/Kathmandu';

let database: TestDatabase;
let admin: Principal;
let mara: Principal;
let noor: Principal;
let stranger: Principal;
let standingOf: (
  principal: Principal,
  by?: Principal,
) => ReturnType<ReturnType<ReturnType<typeof createTestConsole<typeof usersRoutes>>>['getUserStanding']>;

beforeAll(async () => {
  database = await createTestDatabase();
  const one = await addTenant(database.pool, 'One', { timeZone });
  admin = await addPerson(database.pool, one, 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, one, 'user', 'mara@one.test');
  noor = await addPerson(database.pool, one, 'user', 'noor@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
  const handlers = createUsersHandlers({ passwords: { hash: async () => 'x' } });
  const console = createTestConsole(database.pool, usersRoutes, handlers);
  standingOf = ({ userId }, by = admin) =>
    console({ principal: by }).getUserStanding({ params: { id: userId } });
});
afterAll(() => database.close());

const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values);
const insertedId = async (statement: string, ...values: unknown[]): Promise<number> =>
  (await run(`${statement} RETURNING id`, ...values)).rows[0].id;

async function allow(kind: AllowanceKind, subjectId: number, amounts: readonly number[], agoMs = 0) {
  const { startMs } = findWindow(kind, Date.now() - agoMs, timeZone);
  const start = Number.isFinite(startMs) ? new Date(startMs).toISOString() : '-infinity';
  await run(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, settled, leased, requests)
     VALUES ($1, $2, $3, $4, $5, $6, 3)
     ON CONFLICT (kind, subject_id, window_start) DO UPDATE SET settled = $5, leased = $6, requests = 3`,
    ...[admin.tenantId, kind, subjectId, start, ...amounts],
  );
}

let asked = 0;
function nextId(): string {
  const time = (Date.now() + ++asked * 10).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`;
}

async function ask(person: Principal, columns: object = {}): Promise<string> {
  const row = {
    id: nextId(),
    tenant_id: person.tenantId,
    user_id: person.userId,
    protocol: 'openai-chat',
    operation: 'chat.completions',
    model: 'gpt-5',
    status: 'success',
    http_status: 200,
    is_stream: false,
    attempts: 1,
    received_at: new Date(),
    response_time_ms: 1,
    usage_source: 'provider',
    prompt_tokens: 20,
    completion_tokens: 5,
    ...columns,
  };
  const names = Object.keys(row);
  await run(
    `INSERT INTO request_logs (${names.join(', ')}) VALUES (${names.map((_, place) => `$${place + 1}`).join(', ')})`,
    ...Object.values(row),
  );
  return row.id;
}

describe('getUserStanding', () => {
  it('getUserStanding is empty for a new user, with unused limits and the ends of their windows', async () => {
    const { limits, ...rest } = await standingOf(noor);
    expect(rest).toEqual({
      deviation_score: 0,
      teams: [],
      tasks: [],
      recent_requests: [],
      signed_in_tools: 0,
      open_appeal: null,
    });
    expect(limits).toMatchObject([
      { kind: 'requests_per_hour', used: 0, held: 0 },
      { kind: 'tokens_per_day', used: 0, held: 0 },
      { kind: 'tokens_per_month', used: 0, held: 0 },
    ]);
    for (const { resets_at } of limits) expect(Date.parse(resets_at)).toBeGreaterThan(Date.now());
  });

  it('getUserStanding returns the used and reserved amounts of each limit in the current window', async () => {
    await run(
      'UPDATE users SET requests_per_hour = 60, daily_quota = 1000, monthly_quota = NULL WHERE id = $1',
      mara.userId,
    );
    const dayMs = 24 * 3_600_000;
    for (const [place, kind] of (
      ['requests_per_hour', 'tokens_per_day', 'tokens_per_month'] as const
    ).entries()) {
      await allow(kind, mara.userId, [place + 1, 10 * (place + 1)]);
      await allow(kind, mara.userId, [500, 500], 40 * dayMs);
      await allow(kind, noor.userId, [900, 900]);
    }
    expect((await standingOf(mara)).limits).toMatchObject([
      { kind: 'requests_per_hour', limit: 60, used: 1, held: 10 },
      { kind: 'tokens_per_day', limit: 1000, used: 2, held: 20 },
      { kind: 'tokens_per_month', limit: null, used: 3, held: 30 },
    ]);
  });

  it('getUserStanding returns teams and tasks with their state, and the usage of active assignments', async () => {
    const team = (name: string, isActive: boolean) =>
      insertedId(
        'INSERT INTO teams (tenant_id, name, is_active) VALUES ($1, $2, $3)',
        admin.tenantId,
        name,
        isActive,
      );
    const [red, blue] = [await team('Red', true), await team('blue', false)];
    for (const [id, role] of [
      [red, 'admin'],
      [blue, 'member'],
    ])
      await run(
        'INSERT INTO team_members (tenant_id, team_id, user_id, role) VALUES ($1, $2, $3, $4)',
        ...[admin.tenantId, id, mara.userId, role],
      );
    const task = (title: string) =>
      insertedId(
        `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours, token_limit)
         VALUES ($1, $2, 'x', 'coding', 'beginner', 1, 10000)`,
        admin.tenantId,
        title,
      );
    const assign = async (title: string, status: string) =>
      insertedId(
        'INSERT INTO task_assignments (tenant_id, task_id, user_id, status, ended_at) VALUES ($1, $2, $3, $4, $5)',
        ...[admin.tenantId, await task(title), mara.userId, status, status === 'active' ? null : new Date()],
      );
    await assign('Ended', 'completed');
    await allow('task_tokens', await assign('Port the parser', 'active'), [4000, 250]);
    const { teams, tasks } = await standingOf(mara);
    expect(teams).toEqual([
      { team_id: blue, team_name: 'blue', role: 'member', is_active: false },
      { team_id: red, team_name: 'Red', role: 'admin', is_active: true },
    ]);
    expect(tasks).toMatchObject([
      { task_title: 'Port the parser', is_active: true, limit: 10_000, used: 4000, held: 250, requests: 3 },
    ]);
  });

  it('getUserStanding returns the ten newest requests with their reasons but without texts', async () => {
    const ids: string[] = [];
    for (let place = 0; place < 11; place += 1) ids.push(await ask(mara));
    ids.push(
      await ask(mara, {
        status: 'refused',
        http_status: 403,
        error_code: 'policy_blocked',
        repeats: 4,
        model: null,
        model_requested: 'gpt-9',
      }),
    );
    await ask(noor);
    await run(
      `INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes) VALUES ($1, $2, 'secret words', 0, 0)`,
      ids.at(-1),
      admin.tenantId,
    );
    const standing = await standingOf(mara);
    expect(standing.recent_requests.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 10));
    expect(standing.recent_requests[0]).toMatchObject({
      status: 'refused',
      error_code: 'policy_blocked',
      repeats: 4,
      model: 'gpt-9',
    });
    expect(standing.recent_requests[1]).toMatchObject({ total_tokens: 25, model: 'gpt-5' });
    expect(JSON.stringify(standing)).not.toContain('secret words');
  });

  it('getUserStanding returns an open appeal but not a decided one', async () => {
    const appeal = (status: string) =>
      insertedId(
        `WITH block AS (
           INSERT INTO score_events (tenant_id, user_id, kind, score_before, score_after, reason)
           VALUES ($1, $2, 'block', 0.8, 0.9, 'x') RETURNING id
         )
         INSERT INTO appeals (tenant_id, user_id, score_event_id, message, status, decided_at)
         SELECT $1, $2, id, 'please', $3, CASE WHEN $3 <> 'open' THEN now() END FROM block`,
        ...[admin.tenantId, mara.userId, status],
      );
    await appeal('denied');
    expect((await standingOf(mara)).open_appeal).toBeNull();
    const id = await appeal('open');
    expect((await standingOf(mara)).open_appeal).toMatchObject({ id, message: 'please' });
    expect((await standingOf(noor)).open_appeal).toBeNull();
  });
});

it("getUserStanding returns 404 to another tenant's administrator, as for an unknown user", async () => {
  const refusals = await Promise.all(
    [mara, { ...mara, userId: 2 ** 30 }].map((person) =>
      standingOf(person, stranger).catch((error: unknown) => error),
    ),
  );
  expect(refusals[0]).toMatchObject({ status: 404 });
  expect(refusals[1]).toEqual(refusals[0]);
});
