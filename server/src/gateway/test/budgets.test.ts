import { budgetPeriods, budgetsRoutes, type Client, createClient, settingsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let person: Principal & { apiKey: string };
let keyId: number;
let budgets: Client<typeof budgetsRoutes>;
let settings: Client<typeof settingsRoutes>;
let ids: Record<'own' | 'other' | 'cheap' | 'unpriced' | 'managed', number>;
let count = 0;

/** Dollars per million tokens. A request with 20 input and 30 output tokens costs $0.08. */
const price = { input: 1_000, output: 2_000 };
const costUsd = 0.08;

beforeAll(async () => {
  provider = await startScriptedProvider();
  const endpoint = `${provider.origin}/v1`;
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'own', models: ['m', 'only-own', 'gratis'], endpoint });
      await seed.addInstance({ name: 'other', models: ['m'], endpoint });
      await seed.addInstance({ name: 'cheap', models: ['small', '小さい'], endpoint });
      await seed.addInstance({ name: 'unpriced', models: ['free'], endpoint });
      await seed.addInstance({ name: 'managed', models: ['paid'], endpoint });
    },
  });
  const session = await signIn(gateway);
  budgets = createClient(budgetsRoutes, session);
  settings = createClient(settingsRoutes, session);
  const { rows } = await gateway.pool.query<{ id: number; name: string }>(
    'SELECT id, provider_instance_name AS name FROM llm_providers',
  );
  // safe because these are the names above
  ids = Object.fromEntries(rows.map(({ id, name }) => [name, id])) as typeof ids;
  for (const [name, models] of Object.entries({
    own: ['m', 'only-own'],
    other: ['m'],
    cheap: ['small', '小さい'],
    managed: ['paid'],
  }))
    await gateway.pool.query(
      `INSERT INTO price_overrides (tenant_id, llm_provider_id, model, price)
       SELECT tenant_id, id, unnest($2::text[]), $3 FROM llm_providers WHERE provider_instance_name = $1`,
      [name, models, JSON.stringify(name === 'cheap' ? { input: 1, output: 2 } : price)],
    );
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(async () => {
  for (const { id } of await budgets.listBudgets({ query: {} }))
    await budgets.deleteBudget({ params: { id } });
  await settings.updateSettings({ body: { unpriced_models: 'refuse', fallback_price: null } });
  provider.calls.length = 0;
  provider.script = answerWith(200, completion({ prompt_tokens: 20, completion_tokens: 30 }));
  person = await gateway.seed.addPerson({ name: `person-${count++}` });
  await gateway.pool.query(
    'UPDATE users SET requests_per_hour = NULL, daily_quota = NULL, monthly_quota = NULL WHERE id = $1',
    [person.userId],
  );
  const { rows } = await gateway.pool.query<{ id: number }>('SELECT id FROM api_keys WHERE user_id = $1', [
    person.userId,
  ]);
  keyId = rows[0]!.id;
  await expect.poll(async () => (await ask({ model: 'nobody' })).status).toBe(404);
});

function completion(usage?: object): string {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }];
  return JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage });
}

const ask = (body: object = {}, init: RequestInit = {}) =>
  gateway.complete({ model: 'm', max_tokens: 30, ...body }, { apiKey: person.apiKey, ...init });

type NewBudget = Parameters<typeof budgets.createBudget>[0]['body'];

async function addBudget(body: Partial<NewBudget>): Promise<number> {
  const base = { subject_type: 'tenant', measure: 'usd', window: 'month', limit: 1 } as const;
  const { id } = await budgets.createBudget({ body: { ...base, ...body } });
  return id;
}

async function readUse(budgetId: number) {
  const { rows } = await gateway.pool.query<{ settled: number; leased: number; requests: number }>(
    `SELECT settled::float8, leased::float8, requests::int FROM allowances
     WHERE kind LIKE '%_budget' AND subject_id = $1`,
    [budgetId],
  );
  return rows[0] ?? { settled: 0, leased: 0, requests: 0 };
}
async function expectWithinBound(budgetId: number): Promise<void> {
  const { rows } = await gateway.pool.query<{ over: number; overrun: number }>(
    `SELECT (settled - limit_amount)::float8 AS over, overrun::float8 FROM allowances
     WHERE kind LIKE '%_budget' AND subject_id = $1`,
    [budgetId],
  );
  const [{ over, overrun } = { over: Number.NaN, overrun: 0 }] = rows;
  expect(over).toBeLessThanOrEqual(overrun);
}
const spentOf = async (budgetId: number) => (await readUse(budgetId)).settled / 1e9;

const subjects: readonly [name: string, body: () => Partial<NewBudget>, message: string][] = [
  ['the tenant', () => ({}), 'of your organization'],
  ['a user', () => ({ subject_type: 'user', subject_id: person.userId }), 'of user "person-'],
  ['an API key', () => ({ subject_type: 'api_key', subject_id: keyId }), 'of API key "'],
  ['an instance', () => ({ subject_type: 'provider', subject_id: ids.own }), 'of provider "own"'],
  [
    'a user and models',
    () => ({ subject_type: 'user', subject_id: person.userId, model_pattern: '{only-own,x*}' }),
    'models {only-own,x*}',
  ],
  [
    'a user at an instance',
    () => ({ subject_type: 'user', subject_id: person.userId, llm_provider_id: ids.own }),
    ', provider "own"',
  ],
];

describe.each(subjects)('a budget of %s', (_, body, message) => {
  it('a budget rejects a request that it does not cover, and states subject, usage, limit and reset time', async () => {
    const id = await addBudget({ ...body(), limit: 0.3 });
    expect((await ask({ model: 'only-own' })).status).toBe(200);
    await expect.poll(() => spentOf(id)).toBe(costUsd);
    let refused = await ask({ model: 'only-own' });
    for (let sent = 0; refused.status === 200 && sent < 5; sent++) refused = await ask({ model: 'only-own' });
    expect(refused.status).toBe(429);
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('budget_exceeded');
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/\$0\.\d+ of \$0\.30 is spent.* needs at least \$0\.\d+\. It resets at 20/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(0);
    expect(await gateway.waitForRow(refused.headers.get('x-request-id')!)).toMatchObject({
      status: 'refused',
      error_code: 'budget_exceeded',
    });
    await expectWithinBound(id);
  });
});

it.each([
  ['usd', 80_000_000],
  ['tokens', 50],
  ['requests', 1],
] as const)("a budget in %s counts the amount in the request's row", async (measure, used) => {
  const id = await addBudget({ measure, subject_type: 'user', subject_id: person.userId, limit: 1_000 });
  await ask();
  await expect.poll(() => readUse(id)).toMatchObject({ settled: used, requests: 1 });
});

it.each(budgetPeriods.filter((period) => period !== 'at_once'))(
  'a budget per %s admits requests until its limit',
  async (window) => {
    const id = await addBudget({
      window,
      measure: 'requests',
      limit: 2,
      subject_type: 'user',
      subject_id: person.userId,
    });
    const statuses = [];
    for (let sent = 0; sent < 3; sent++) statuses.push((await ask()).status);
    // A new minute may have started.
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    if (window !== 'minute') expect(statuses[2]).toBe(429);
    await expect.poll(async () => (await readUse(id)).settled).toBeGreaterThan(0);
  },
);

it('a request takes from all of its budgets, or from none if one of them does not cover it', async () => {
  const wide = await addBudget({});
  const narrow = await addBudget({
    subject_type: 'user',
    subject_id: person.userId,
    measure: 'requests',
    limit: 1,
  });
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
  await expect.poll(() => readUse(narrow)).toMatchObject({ settled: 1 });
  await expect.poll(() => readUse(wide)).toMatchObject({ settled: 80_000_000, requests: 1 });
});

it.each(['usd', 'tokens', 'requests'] as const)(
  'a limit of 0 in %s admits nothing, not even a model that costs nothing',
  async (measure) => {
    await gateway.pool.query(
      `INSERT INTO price_overrides (tenant_id, llm_provider_id, model, price)
     SELECT tenant_id, id, 'gratis', '{"input": 0, "output": 0}' FROM llm_providers WHERE provider_instance_name = 'own'
     ON CONFLICT DO NOTHING`,
    );
    await addBudget({ subject_type: 'user', subject_id: person.userId, measure, limit: 0 });
    for (const model of ['m', 'gratis']) {
      const refused = await ask({ model });
      expect(await refused.json()).toMatchObject({
        error: {
          code: 'budget_exceeded',
          message: expect.stringMatching(/budget.* of .*0.* It resets at 20/),
        },
      });
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    }
  },
);

it('an instance that its budget does not cover is skipped while another remains', async () => {
  const id = await addBudget({ subject_type: 'provider', subject_id: ids.own, limit: 0.000000001 });
  const other = await addBudget({ subject_type: 'provider', subject_id: ids.other });
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-sluice-warning')).toContain('a budget does not cover "own"');
  expect(await gateway.waitForRow(answer.headers.get('x-request-id')!)).toMatchObject({
    llm_provider_id: ids.other,
  });
  await expect.poll(() => spentOf(other)).toBe(costUsd);
  expect(await readUse(id)).toMatchObject({ settled: 0 });
});

it('a fallback counts toward the budget of the instance that served it, and no other', async () => {
  const own = await addBudget({ subject_type: 'provider', subject_id: ids.own });
  const other = await addBudget({ subject_type: 'provider', subject_id: ids.other });
  const answered = provider.script;
  let calls = 0;
  provider.script = (response, call) => (calls++ < 3 ? answerWith(500, '{}') : answered)(response, call);
  expect((await ask()).status).toBe(200);
  await expect.poll(async () => [await spentOf(own), await spentOf(other)].toSorted()).toEqual([0, costUsd]);
  await expect
    .poll(async () => [await readUse(own), await readUse(other)].map(({ requests }) => requests).toSorted())
    .toEqual([0, 1]);
});

it('usage that a provider reports beyond the hold is charged in full immediately', async () => {
  const id = await addBudget({ subject_type: 'user', subject_id: person.userId, limit: 1 });
  provider.script = answerWith(200, completion({ prompt_tokens: 20, completion_tokens: 3_000 }));
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
  await expect.poll(() => spentOf(id)).toBe(6.02);
  await expectWithinBound(id);
});

it('a budget that only warns counts usage and rejects nothing', async () => {
  const id = await addBudget({
    subject_type: 'user',
    subject_id: person.userId,
    limit: 0.01,
    action: 'warn',
  });
  for (let sent = 0; sent < 2; sent++) expect((await ask()).status).toBe(200);
  await expect.poll(() => spentOf(id)).toBe(2 * costUsd);
});

const addDowngrade = (downgrade_to: string) =>
  addBudget({
    subject_type: 'user',
    subject_id: person.userId,
    limit: 0.000000001,
    action: 'downgrade',
    downgrade_to,
  });

it('a budget that downgrades sends requests over its limit to the named model, and reports it in a header', async () => {
  const id = await addDowngrade('small');
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-sluice-budget-route')).toBe(`small; budget=${id}`);
  expect(await gateway.waitForRow(answer.headers.get('x-request-id')!)).toMatchObject({
    model_requested: 'm',
    model: 'small',
    downgraded_by_budget_id: id,
    llm_provider_id: ids.cheap,
  });
  expect(JSON.parse(String(provider.calls.at(-1)!.body)).model).toBe('small');
  expect(await readUse(id)).toMatchObject({ settled: 0 });
});

it('a budget that downgrades to a model whose name is not ASCII replaces its characters in the header', async () => {
  const id = await addDowngrade('小さい');
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-sluice-budget-route')).toBe(`???; budget=${id}`);
});

it('limits of an abandoned attempt add no headers, and each header occurs once', async () => {
  const routing = { action: 'downgrade', downgrade_to: 'small' } as const;
  await addBudget({
    measure: 'requests',
    limit: 1,
    subject_type: 'user',
    subject_id: person.userId,
    ...routing,
  });
  await addBudget({ measure: 'requests', limit: 1, subject_type: 'provider', subject_id: ids.own });
  await addBudget({ measure: 'requests', limit: 5, subject_type: 'provider', subject_id: ids.cheap });
  const remaining = [];
  for (let sent = 0; sent < 3; sent++)
    remaining.push((await ask()).headers.get('x-ratelimit-remaining-requests'));
  expect(remaining).toEqual(['0', '4', '3']);
});

it('a budget that downgrades to a model that the caller may not use rejects the request', async () => {
  await addBudget({
    subject_type: 'user',
    subject_id: person.userId,
    limit: 0.000000001,
    action: 'downgrade',
    downgrade_to: 'nothing',
  });
  const refused = await ask();
  expect([refused.status, refused.headers.get('x-sluice-budget-route')]).toEqual([429, null]);
});

describe('a model without a price under a budget in dollars', () => {
  it('a model without a price is rejected under a budget in dollars by default', async () => {
    await addBudget({ subject_type: 'user', subject_id: person.userId });
    const refused = await ask({ model: 'free' });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: 'model_unpriced', param: 'model' } });
  });

  it('a model without a price is served with a warning under a budget in dollars if the tenant allows it', async () => {
    await settings.updateSettings({ body: { unpriced_models: 'allow' } });
    const id = await addBudget({ subject_type: 'user', subject_id: person.userId });
    const answer = await ask({ model: 'free' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-sluice-warning')).toContain("no price is known for 'free'");
    await gateway.waitForRow(answer.headers.get('x-request-id')!);
    expect(await spentOf(id)).toBe(0);
  });

  it("a model without a price counts toward a budget in dollars at the tenant's fallback price", async () => {
    await settings.updateSettings({ body: { unpriced_models: 'fallback', fallback_price: price } });
    const id = await addBudget({ subject_type: 'user', subject_id: person.userId });
    expect((await ask({ model: 'free' })).status).toBe(200);
    await expect.poll(() => spentOf(id)).toBe(costUsd);
  });

  it('a model without a price is served if no budget in dollars applies', async () => {
    await addBudget({ subject_type: 'user', subject_id: person.userId, measure: 'tokens', limit: 100_000 });
    expect((await ask({ model: 'free' })).status).toBe(200);
  });
});

it('a deleted or raised budget no longer rejects requests, and a lowered one rejects them immediately', async () => {
  const id = await addBudget({
    subject_type: 'user',
    subject_id: person.userId,
    measure: 'requests',
    limit: 1,
  });
  const params = { id };
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await budgets.raiseBudget({ params, body: { limit: 2, until, reason: 'a test' } });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  await budgets.endBudgetRaise({ params });
  expect((await ask()).status).toBe(429);
  await budgets.updateBudget({ params, body: { limit: 3 } });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  await budgets.updateBudget({ params, body: { limit: 1 } });
  expect((await ask()).status).toBe(429);
  await budgets.deleteBudget({ params });
  expect((await ask()).status).toBe(200);
});

it('a budget from a start date in the future does not apply yet', async () => {
  const starts_at = new Date(Date.now() + 3_600_000).toISOString();
  await addBudget({ subject_type: 'user', subject_id: person.userId, limit: 0.000000001, starts_at });
  expect((await ask()).status).toBe(200);
});

const dialects: readonly [path: string, body: object, error: object][] = [
  [
    '/api/v1/messages',
    { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] },
    { type: 'error', error: { type: 'rate_limit_error' } },
  ],
  [
    '/api/v1beta/models/m:generateContent',
    { contents: [{ parts: [{ text: 'Hi' }] }] },
    { error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ reason: 'BUDGET_EXCEEDED' }, {}] } },
  ],
  ['/api/v1/responses', { model: 'm', input: 'Hi' }, { error: { code: 'budget_exceeded' } }],
  ['/api/v1/embeddings', { model: 'm', input: 'Hi' }, { error: { code: 'budget_exceeded' } }],
  [
    '/api/v1/messages/count_tokens',
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
    { type: 'error', error: { type: 'rate_limit_error' } },
  ],
];

it.each(dialects)(
  '%s reports the rate limit of user, key and models per minute in its headers',
  async (path, body) => {
    const perMinute = { measure: 'requests', window: 'minute' } as const;
    const user = { subject_type: 'user', subject_id: person.userId } as const;
    const isAnthropic = path.startsWith('/api/v1/messages');
    for (const [limit, subject] of [
      [30, user],
      [20, { subject_type: 'api_key', subject_id: keyId } as const],
      [10, { subject_type: 'tenant', model_pattern: '*' } as const],
    ] as const) {
      await addBudget({ ...perMinute, ...subject, limit });
      const { headers } = await fetch(gateway.origin + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(headers.get('x-ratelimit-limit-requests')).toBe(String(limit));
      expect(headers.get('anthropic-ratelimit-requests-limit')).toBe(isAnthropic ? String(limit) : null);
      expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe(
        isAnthropic ? headers.get('x-ratelimit-remaining-requests') : null,
      );
      if (isAnthropic)
        expect(headers.get('anthropic-ratelimit-requests-reset')).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
    }
  },
);

it.each(dialects)('%s reports a reached budget in its own protocol', async (path, body, error) => {
  await addBudget({ subject_type: 'user', subject_id: person.userId, measure: 'requests', limit: 1 });
  expect((await ask()).status).toBe(200);
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(429);
  expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('0');
  expect(await answer.json()).toMatchObject(error);
});
