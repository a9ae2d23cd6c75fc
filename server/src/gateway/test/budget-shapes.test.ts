import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let admin: Record<string, string>;
let member: { userId: number; apiKey: string };
let ids: Record<
  'tenant' | 'team' | 'team_member' | 'user' | 'api_key' | 'service_account' | 'task' | 'provider',
  number
>;

beforeAll(async () => {
  provider = await startScriptedProvider();
  const message = { role: 'assistant', content: 'Hello' };
  const usage = { prompt_tokens: 20, completion_tokens: 30 };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage };
  provider.script = answerWith(200, JSON.stringify(answer));
  gateway = await startGateway({
    async seed({ addInstance }) {
      await addInstance({ name: 'own', models: ['m', 'small'], endpoint: `${provider.origin}/v1` });
    },
  });
  admin = (await signIn(gateway)).headers();
  const person = await gateway.seed.addPerson({ name: 'mara', role: 'user' });
  member = person;
  const { rows } = await gateway.pool.query(
    `WITH team AS (INSERT INTO teams (tenant_id, name) VALUES ($1, 'Platform') RETURNING id),
       joined AS (INSERT INTO team_members (tenant_id, team_id, user_id) SELECT $1, id, $2 FROM team),
       granted AS (INSERT INTO team_provider_access (tenant_id, team_id, llm_provider_id, allowed_models)
         SELECT $1, team.id, p.id, p.enabled_models FROM team, llm_providers p),
       task AS (
         INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
         VALUES ($1, 'Import', 'Import', 'coding', 'beginner', 1) RETURNING id)
     SELECT $1::integer AS tenant, team.id AS team, team.id AS team_member, $2::integer AS "user", task.id AS task,
       (SELECT min(id) FROM api_keys WHERE user_id = $2) AS api_key,
       (SELECT min(id) FROM llm_providers) AS provider FROM team, task`,
    [person.tenantId, person.userId],
  );
  ids = { ...rows[0], service_account: 0 };
  const account = await call('POST', '/admin/service-accounts', { name: 'importer', team_id: ids.team });
  ids.service_account = account.body.id;
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

async function call(method: string, path: string, body?: object, headers = admin) {
  const answer = await fetch(`${gateway.origin}/api/v1${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

const ofMember = () => ({ authorization: `Bearer ${member.apiKey}` });
const ask = (model = 'm') =>
  call(
    'POST',
    '/chat/completions',
    { model, max_tokens: 30, messages: [{ role: 'user', content: 'Hi' }] },
    ofMember(),
  );

const windows = ['minute', 'hour', 'day', 'week', 'month', 'total'];
const subjectTypes = [
  ...['tenant', 'team', 'team_member', 'user'],
  ...['api_key', 'service_account', 'task', 'provider'],
] as (keyof typeof ids)[];

it.each(subjectTypes)(
  'a budget of a %s is created, read, changed, listed and deleted',
  async (subject_type) => {
    const sent = {
      subject_type,
      subject_id: ids[subject_type],
      measure: 'usd',
      window: 'month',
      limit: '12.50',
      thresholds: [0.5, 0.9],
      action: 'downgrade',
      downgrade_to: 'small',
    };
    const made = await call('POST', '/admin/budgets', sent);
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ ...sent, limit: 12.5, model_pattern: null, spent: 0, held: 0 }),
    ]);
    expect(made.body.resets_at).toMatch(/^20.*Z$/);
    expect(made.body.origin).toBe(subject_type === 'team_member' ? 'team "Platform"' : null);
    const path = `/admin/budgets/${made.body.id}`;
    expect((await call('GET', path)).body).toEqual(made.body);
    const listed = await call(
      'GET',
      `/admin/budgets?subject_type=${subject_type}&subject_id=${sent.subject_id}`,
    );
    expect(listed.body).toContainEqual(made.body);
    const changed = await call('PUT', path, { ...sent, limit: 20, action: 'warn', downgrade_to: null });
    expect(changed).toMatchObject({ status: 200, body: { limit: 20, action: 'warn', downgrade_to: null } });
    expect(await call('PUT', path, { window: 'day' })).toMatchObject({ status: 422 });
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
  },
);

describe('the terms of a budget', () => {
  const body = { subject_type: 'tenant', measure: 'requests', window: 'day', limit: 5 };

  it.each(windows)('a budget accepts the window %s', async (window) => {
    const { body: made, status } = await call('POST', '/admin/budgets', { ...body, window });
    expect([status, made.window, made.resets_at === null]).toEqual([201, window, window === 'total']);
    await call('DELETE', `/admin/budgets/${made.id}`);
  });

  it.each([
    ['limit', { limit: -1 }],
    ['subject_id', { subject_type: 'user' }],
    ['subject_type', { subject_type: 'planet' }],
    ['downgrade_to', { action: 'downgrade' }],
  ])('a budget with an invalid %s is rejected with a 422', async (field, wrong) => {
    const refused = await call('POST', '/admin/budgets', { ...body, ...wrong });
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', field] }] } });
  });
});

it("a member has the team's default budget, with the team as its origin, unless the member's own budget has the same window", async () => {
  const terms = { measure: 'requests', window: 'month' };
  const made = await call('POST', '/admin/budgets', {
    ...terms,
    subject_type: 'team_member',
    subject_id: ids.team,
    limit: 1,
  });
  const own = async () => (await call('GET', `/admin/budgets?user_id=${ids.user}`)).body;
  expect(await own()).toMatchObject([
    { subject_type: 'user', subject_id: ids.user, limit: 1, origin: 'team "Platform"' },
  ]);
  expect((await ask()).status).toBe(200);
  await expect.poll(async () => (await own())[0].spent).toBe(1);
  const refused = await ask();
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'budget_exceeded' } } });
  expect(refused.body.error.message).toMatch(/budget.*1 request of 1 request.*resets at 20/);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const explicit = await call('POST', '/admin/budgets', {
    ...terms,
    subject_type: 'user',
    subject_id: ids.user,
    limit: 3,
  });
  expect(await own()).toMatchObject([{ id: explicit.body.id, limit: 3, origin: null, spent: 1 }]);
  await expect.poll(async () => (await ask()).status).toBe(200);
  await call('DELETE', `/admin/budgets/${explicit.body.id}`);
  expect((await call('DELETE', `/admin/budgets/${made.body.id}`)).status).toBe(204);
  expect(await own()).toEqual([]);
});

it("GET /user/budgets returns the caller's own budgets", async () => {
  const { body: me } = await call('GET', '/auth/me');
  const made = await call('POST', '/admin/budgets', {
    subject_type: 'user',
    subject_id: me.id,
    measure: 'tokens',
    window: 'total',
    limit: 1_000,
  });
  expect(await call('GET', '/user/budgets')).toMatchObject({
    status: 200,
    body: [{ id: made.body.id, subject_type: 'user', window: 'total', resets_at: null, origin: null }],
  });
});
