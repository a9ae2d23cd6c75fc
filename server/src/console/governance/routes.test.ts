import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defaultDeviationPolicy, governanceRoutes, quotaStatusRoutes, usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createQuotaStatusHandlers } from '#console/quota-status/routes.ts';
import { createUsersHandlers } from '#console/users/routes.ts';
import type { Principal } from '#domain/principal.ts';
import { loadModel } from '#intent/model.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createGovernanceHandlers } from './routes.ts';

const intentModel = loadModel(readFileSync(new URL('../../intent/model.bin', import.meta.url)));
const story = 'Tell me a bedtime story about a dragon who is afraid of the dark and lives alone on a hill';

let database: TestDatabase;
let admin: Principal;
let mara: Principal;
let people = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  const tenantId = await addTenant(database.pool, `Tenant ${++people}`);
  admin = await addPerson(database.pool, tenantId, 'admin', `admin-${people}@one.test`);
  mara = await addPerson(database.pool, tenantId, 'user', `mara-${people}@one.test`);
});

const governanceOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    governanceRoutes,
    createGovernanceHandlers({ intentModel }),
  )({ principal });
const usersOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    usersRoutes,
    createUsersHandlers({ passwords: { hash: async () => 'x' } }),
  )({ principal });
const statusOf = (principal: Principal) =>
  createTestConsole(
    database.pool,
    quotaStatusRoutes,
    createQuotaStatusHandlers(),
  )({
    principal,
  }).getQuotaStatus();

const setScore = (score: number, at = 'now()') =>
  database.pool.query(`UPDATE users SET deviation_score = $2, deviation_scored_at = ${at} WHERE id = $1`, [
    mara.userId,
    score,
  ]);
const readEvents = async () =>
  (
    await database.pool.query(
      'SELECT kind, actor_id, score_before, score_after, reason FROM score_events WHERE user_id = $1 ORDER BY id',
      [mara.userId],
    )
  ).rows;

async function addTask(): Promise<number> {
  const { rows } = await database.pool.query(
    `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
     VALUES ($1, 'CSV import', 'Write the TypeScript parser of the customers import and its unit tests', 'coding', 'beginner', 1)
     RETURNING id`,
    [mara.tenantId],
  );
  await database.pool.query(
    'INSERT INTO task_assignments (tenant_id, task_id, user_id) VALUES ($1, $2, $3)',
    [mara.tenantId, rows[0].id, mara.userId],
  );
  return rows[0].id;
}

async function addLog(intent: string, more: { atMs?: number; taskId?: number; prompt?: string } = {}) {
  const id = randomUUIDv7();
  await database.pool.query(
    `WITH log AS (
       INSERT INTO request_logs (id, tenant_id, user_id, task_id, protocol, operation, status, http_status, is_stream,
         attempts, received_at, response_time_ms, usage_source, intent_classification, confidence_score,
         user_score_before, user_score_after)
       VALUES ($1, $2, $3, $4, 'openai-chat', 'chat.completions', 'success', 200, false, 1, $5, 1, 'none', $6, 1, 0, 0)
     )
     INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes) VALUES ($1, $2, $7, 0, 0)`,
    [
      id,
      mara.tenantId,
      mara.userId,
      more.taskId ?? null,
      new Date(more.atMs ?? Date.now()),
      intent,
      more.prompt ?? story,
    ],
  );
  return id;
}

describe('previewGovernance', () => {
  it("previewGovernance returns intent, words and signals as the gateway would judge the user's prompt", async () => {
    const taskId = await addTask();
    await setScore(0.5);
    const preview = await governanceOf(admin).previewGovernance({
      body: { text: story, user_id: mara.userId },
    });
    expect(preview).toMatchObject({
      intent: 'off_topic',
      task: { id: taskId, category: 'coding' },
      deviation: {
        value: 1,
        signals: [{ name: 'off_topic' }, { name: 'category' }, { name: 'wording', value: 1 }],
      },
      score: { level: 'elevated', is_refused: false },
    });
    expect(preview.score?.after).toBeCloseTo(0.55, 4);
    for (const { text, start, end } of preview.words) expect(story.slice(start, end)).toBe(text);
    expect(preview.words.map(({ text }) => text)).toContain('dragon');
  });

  it('previewGovernance accepts a draft of a task, and rejects a task of another tenant', async () => {
    const task = {
      title: 'Stories',
      description: 'Write bedtime stories about dragons and hills',
      category: 'other',
    } as const;
    const preview = await governanceOf(admin).previewGovernance({ body: { text: story, task } });
    expect(preview).toMatchObject({ task: { id: null }, score: null });
    expect(preview.deviation.signals.map(({ name }) => name)).toEqual(['off_topic']);
    const stranger = await addPerson(
      database.pool,
      await addTenant(database.pool, `Other ${people}`),
      'admin',
      `s-${people}@two.test`,
    );
    const task_id = await addTask();
    const body = { text: story, task_id };
    await expect(governanceOf(stranger).previewGovernance({ body })).rejects.toMatchObject({ status: 404 });
    await expect(
      governanceOf(stranger).previewGovernance({ body: { text: story, user_id: mara.userId } }),
    ).rejects.toMatchObject({ status: 404 });
  });
});

describe('user standing', () => {
  it('getQuotaStatus returns the level of the deviation score, which decays over time', async () => {
    expect(await statusOf(mara)).toMatchObject({
      deviation_score: 0,
      level: 'normal',
      warnings: { blocked_status: null, high_deviation_score: null },
      quotas: { tokens_per_day: { used: 0, limit: null } },
    });
    await setScore(0.6);
    expect((await statusOf(mara)).level).toBe('elevated');
    await setScore(0.8);
    expect(await statusOf(mara)).toMatchObject({
      level: 'high',
      warnings: {
        high_deviation_score: 'Your deviation score is elevated. Please review your usage patterns.',
      },
    });
    await setScore(0.8, "now() - interval '7 days'");
    const { deviation_score: score, level } = await statusOf(mara);
    expect(score).toBeCloseTo(0.4, 4);
    expect(level).toBe('normal');
  });

  it('getQuotaStatus returns the reason of a block, and unblockUser also lowers a high score', async () => {
    await setScore(0.95);
    await usersOf(admin).blockUser({ params: { id: mara.userId }, query: { reason: 'Off topic' } });
    expect(await statusOf(mara)).toMatchObject({
      warnings: { blocked_status: 'Your account has been temporarily blocked due to policy violations.' },
      blocked_reason: 'Off topic',
    });
    await usersOf(admin).unblockUser({ params: { id: mara.userId } });
    const { deviation_score: score, warnings } = await statusOf(mara);
    expect(score).toBeCloseTo(0.45, 4);
    expect(warnings).toEqual({ blocked_status: null, high_deviation_score: null });
    expect(await readEvents()).toMatchObject([
      { kind: 'block', actor_id: admin.userId, reason: 'Off topic' },
      { kind: 'unblock', actor_id: admin.userId, score_before: expect.closeTo(0.95, 4), score_after: 0.45 },
    ]);
  });
});

describe('appeals', () => {
  const block = () =>
    usersOf(admin).blockUser({ params: { id: mara.userId }, query: { reason: 'Off topic' } });
  const appealAs = (principal: Principal) =>
    governanceOf(principal).createAppeal({ body: { message: 'It was my task' } });

  it('createAppeal accepts one appeal per block', async () => {
    await expect(appealAs(mara)).rejects.toMatchObject({
      status: 409,
      detail: 'Your account is not blocked',
    });
    await block();
    expect(await appealAs(mara)).toMatchObject({ status: 'open', block: { reason: 'Off topic' } });
    await expect(appealAs(mara)).rejects.toMatchObject({ status: 409 });
    await usersOf(admin).unblockUser({ params: { id: mara.userId } });
    await block();
    await appealAs(mara);
    expect(await governanceOf(mara).listOwnAppeals()).toHaveLength(2);
  });

  it('decideAppeal lifts the block and lowers the score when it grants an appeal', async () => {
    await setScore(0.95);
    await block();
    const { id } = await appealAs(mara);
    const decide = (decision: 'grant' | 'deny') =>
      governanceOf(admin).decideAppeal({ params: { id }, body: { decision, note: 'Agreed' } });
    expect(await decide('grant')).toMatchObject({ status: 'granted', note: 'Agreed' });
    expect(await statusOf(mara)).toMatchObject({ blocked_reason: null, level: 'normal' });
    expect((await readEvents()).at(-1)).toMatchObject({
      kind: 'appeal_grant',
      score_after: 0.45,
      reason: 'Agreed',
    });
    await expect(decide('deny')).rejects.toMatchObject({ status: 409 });
  });

  it('decideAppeal keeps the block when it denies an appeal, and the user sees the reason', async () => {
    await block();
    const { id } = await appealAs(mara);
    const open = { query: { status: 'open' as const } };
    expect(await governanceOf(admin).listAppeals(open)).toMatchObject([{ id, user_name: mara.name }]);
    await governanceOf(admin).decideAppeal({
      params: { id },
      body: { decision: 'deny', note: 'It was not' },
    });
    expect(await governanceOf(admin).listAppeals(open)).toEqual([]);
    expect(await governanceOf(mara).listOwnAppeals()).toMatchObject([
      { status: 'denied', note: 'It was not' },
    ]);
    expect((await statusOf(mara)).blocked_reason).toBe('Off topic');
    expect((await readEvents()).map(({ kind }) => kind)).toEqual(['block', 'appeal_deny']);
  });

  it('lifting a block manually grants the open appeal', async () => {
    await block();
    await appealAs(mara);
    await usersOf(admin).unblockUser({ params: { id: mara.userId } });
    expect(await governanceOf(mara).listOwnAppeals()).toMatchObject([
      { status: 'granted', note: 'An administrator lifted the block' },
    ]);
  });

  it('reopenAppeal reopens a denied appeal until its block is lifted', async () => {
    await block();
    const { id } = await appealAs(mara);
    const reopen = () => governanceOf(admin).reopenAppeal({ params: { id } });
    await expect(reopen()).rejects.toMatchObject({ status: 409, detail: 'This appeal was not denied' });
    const deny = { params: { id }, body: { decision: 'deny' as const, note: 'No' } };
    await governanceOf(admin).decideAppeal(deny);
    expect(await reopen()).toMatchObject({ status: 'open', note: null, decided_at: null });
    await governanceOf(admin).decideAppeal(deny);
    await usersOf(admin).unblockUser({ params: { id: mara.userId } });
    await expect(reopen()).rejects.toMatchObject({
      status: 409,
      detail: 'The block of this appeal has already been lifted',
    });
  });
});

describe('replayPolicy', () => {
  const replay = (policy: typeof defaultDeviationPolicy, days = 30) =>
    governanceOf(admin).replayPolicy({ body: { policy, days } });

  it('replayPolicy returns users who would be warned and blocked, and the requests that cause it', async () => {
    const startMs = Date.now() - 3_600_000;
    const ids: string[] = [];
    for (let index = 0; index < 25; index++) ids.push(await addLog('off_topic', { atMs: startMs + index }));
    expect(await replay(defaultDeviationPolicy)).toMatchObject({
      requests: 25,
      people: [
        {
          user_id: mara.userId,
          user_name: mara.name,
          requests: 22,
          warned: { request_id: ids[6] },
          blocked: { request_id: ids[21] },
        },
      ],
    });
    const { thresholds } = defaultDeviationPolicy;
    const lax = { ...defaultDeviationPolicy, thresholds: { ...thresholds, block: 1 } };
    expect((await replay(lax)).people).toMatchObject([{ requests: 25, blocked: null }]);
    expect((await statusOf(mara)).deviation_score).toBe(0);
  });

  it('replayPolicy compares intents with the categories of tasks', async () => {
    const taskId = await addTask();
    for (let index = 0; index < 12; index++) await addLog('research', { taskId });
    const { weights } = defaultDeviationPolicy;
    const strict = { ...defaultDeviationPolicy, weights: { ...weights, category: 1 } };
    expect((await replay(defaultDeviationPolicy)).people).toEqual([]);
    expect((await replay(strict)).people).toMatchObject([{ requests: 12, blocked: null }]);
  });
});

describe('stored prompts', () => {
  it("explainLog and explainOwnRequest return the same, and explainOwnRequest returns 404 for another user's request", async () => {
    const id = await addLog('off_topic');
    const explained = await governanceOf(admin).explainLog({ params: { id } });
    expect(explained.words.map(({ text }) => text)).toContain('dragon');
    expect(await governanceOf(mara).explainOwnRequest({ params: { id } })).toEqual(explained);
    await expect(governanceOf(admin).explainOwnRequest({ params: { id } })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('correctIntent adds a training row, and a later correction replaces an earlier one', async () => {
    const id = await addLog('off_topic', { prompt: 'Line one\nline "two"' });
    const correct = (intent: 'coding' | 'research') =>
      governanceOf(admin).correctIntent({ params: { id }, body: { intent } });
    await correct('coding');
    expect(await correct('research')).toMatchObject({ intent: 'research', intent_before: 'off_topic' });
    expect(await governanceOf(admin).listCorrections()).toBe(
      '{"text":"Line one\\nline \\"two\\"","label":"research"}\n',
    );
  });

  it('correctIntent stores prompts only as far as prompt privacy allows', async () => {
    const kept: unknown[] = [];
    for (const mode of ['full', 'redacted', 'metadata']) {
      const id = await addLog('off_topic', { prompt: `Ask ada@secrets.example: ${mode}` });
      await database.pool.query('UPDATE tenants SET prompt_privacy = $1', [mode]);
      await governanceOf(admin).correctIntent({ params: { id }, body: { intent: 'coding' } });
      const { rows } = await database.pool.query(
        'SELECT prompt FROM intent_corrections WHERE request_id = $1',
        [id],
      );
      kept.push(rows[0].prompt);
    }
    expect(kept).toEqual(['Ask ada@secrets.example: full', 'Ask [email]: redacted', null]);
    const listed = await governanceOf(admin).listCorrections();
    expect(listed.trim().split('\n')).toHaveLength(2);
  });
});
