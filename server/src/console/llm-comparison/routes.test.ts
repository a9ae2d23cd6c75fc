import { authRoutes, type Comparison, createClient, llmComparisonRoutes, toUsd } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { createEndLostComparisons } from '#jobs/end-lost-answers.ts';
import { runAlone } from '#jobs/run-alone.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

const price = '{"input":3,"output":15,"per_request":0.000123}';
const instances = [
  {
    name: 'open',
    providerKey: 'custom',
    path: '/v1',
    models: ['sandbox-normal', 'sandbox-error-500', 'sandbox-echo'],
  },
  { name: 'claude', providerKey: 'anthropic', path: '', models: ['sandbox-normal:tokens=7'] },
  {
    name: 'gem',
    providerKey: 'google',
    path: '',
    models: ['sandbox-slow:tokens=40', 'sandbox-stream-error', 'sandbox-stall'],
  },
] as const;

let gateway: TestGateway;
const registryIds = new Map<string, number>();

beforeAll(async () => {
  gateway = await startGateway({
    async seed(seed) {
      for (const { name, providerKey, path, models } of instances) {
        const endpoint = `${seed.sandboxOrigin}${path}`;
        const id = await seed.addInstance({ name, providerKey, endpoint, models: [...models] });
        for (const model of models) {
          await seed.pool.query(
            'INSERT INTO price_overrides (tenant_id, llm_provider_id, model, price) VALUES ($1, $2, $3, $4)',
            [seed.tenantId, id, model, price],
          );
        }
      }
    },
  });
  const { rows } = await gateway.pool.query('SELECT id, provider_key FROM provider_registry');
  for (const { id, provider_key } of rows) registryIds.set(provider_key, id);
});
afterAll(() => gateway.stop());

async function signIn(email = gateway.admin.email) {
  const auth = createClient(authRoutes, { baseUrl: gateway.origin, headers: () => ({}) });
  const { access_token } = await auth.login({ form: { username: email, password: gateway.admin.password } });
  return access_token;
}

async function addMember(role: 'admin' | 'user', email: string, tenantId: number): Promise<number> {
  const { rows } = await gateway.pool.query<{ id: number }>(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
     SELECT $1, roles.id, $2, $2, admin.password_hash
     FROM roles, users admin WHERE roles.name = $3 AND admin.email = $4 RETURNING id`,
    [tenantId, email, role, gateway.admin.email],
  );
  return rows[0]!.id;
}

const callsAs = (token: string) =>
  createClient(llmComparisonRoutes, {
    baseUrl: gateway.origin,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
type Calls = ReturnType<typeof callsAs>;

const models = (...named: (readonly [provider: string, model: string])[]) =>
  named.map(([provider, model_name]) => ({
    provider_registry_id: registryIds.get(provider) ?? 0,
    model_name,
  }));

async function untilEnded(calls: Calls, id: string): Promise<Comparison> {
  return expect
    .poll(() => calls.getComparison({ params: { id } }))
    .toSatisfy(({ status }: Comparison) => status !== 'pending')
    .then(() => calls.getComparison({ params: { id } }));
}

describe('a comparison', () => {
  it('a comparison over three protocols is partial if one model fails, and its costs equal the log', async () => {
    const calls = callsAs(await signIn());
    const created = await calls.createComparison({
      body: {
        prompt: 'Write a function that adds two numbers',
        provider_models: models(
          ['custom', 'sandbox-error-500'],
          ['anthropic', 'sandbox-normal:tokens=7'],
          ['google', 'sandbox-slow:tokens=40'],
        ),
      },
    });
    expect(created).toMatchObject({ status: 'pending', providers_count: 3, total_cost: 0 });
    expect(created.results.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    const seen = await expect
      .poll(() => calls.getComparison({ params: { id: created.id } }))
      .toSatisfy(({ results }: Comparison) => results[1]?.status === 'completed')
      .then(() => calls.getComparison({ params: { id: created.id } }));
    expect(seen.id).toBe(created.id);

    const { results, ...ended } = await untilEnded(calls, created.id);
    expect(ended).toMatchObject({ status: 'partial', prompt: 'Write a function that adds two numbers' });
    expect(results.map(({ status, provider_name }) => [provider_name, status])).toEqual([
      ['OpenAI-compatible', 'failed'],
      ['Anthropic', 'completed'],
      ['Google', 'completed'],
    ]);
    const [failed, quick, slow] = results;
    expect(failed?.error_message).toMatch(/open/);
    expect(quick?.response_text).toMatch(/\w/);
    expect(slow?.response_time_ms).toBeGreaterThan(1_500);

    let total = 0n;
    for (const result of results) {
      const { rows } = await gateway.pool.query(
        'SELECT *, cost_nano_usd::text AS cost FROM request_logs WHERE id = $1',
        [result.request_id],
      );
      const [row] = rows;
      expect(row).toMatchObject({
        tenant_id: 1,
        operation: 'chat.completions',
        intent_classification: 'coding',
      });
      expect(row.client_request_id).toBe(result.id);
      expect(result.cost).toBe(row.cost === null ? null : toUsd(BigInt(row.cost)));
      expect(result.total_tokens).toBe(row.prompt_tokens + row.completion_tokens);
      expect(result.response_time_ms).toBeCloseTo(row.response_time_ms, 2);
      if (row.cost !== null) total += BigInt(row.cost);
    }
    expect(quick?.cost).toBeGreaterThan(0.0001);
    expect(ended.total_cost).toBe(toUsd(total));
    expect(await calls.getComparisonStats()).toEqual({
      total_comparisons: 1,
      total_cost: toUsd(total),
      average_cost_per_comparison: toUsd(total),
    });
  });

  it('getComparison shows a partial answer while it streams and after it is interrupted', async () => {
    const calls = callsAs(await signIn());
    const { id } = await calls.createComparison({
      body: {
        prompt: 'Hello',
        provider_models: models(['google', 'sandbox-slow:tokens=40'], ['google', 'sandbox-stream-error']),
      },
    });
    await expect
      .poll(async () => (await calls.getComparison({ params: { id } })).results[0])
      .toMatchObject({ status: 'pending', response_text: expect.stringMatching(/\w/), cost: null });
    const { results } = await untilEnded(calls, id);
    expect(results.map(({ status }) => status)).toEqual(['completed', 'failed']);
    expect(results[1]).toMatchObject({
      error_message: expect.stringMatching(/\w/),
      response_text: expect.stringMatching(/\w/),
    });
  });

  it('a comparison is completed if no model failed', async () => {
    const calls = callsAs(await signIn());
    const provider_models = models(['custom', 'sandbox-normal'], ['custom', 'sandbox-normal']);
    const { id } = await calls.createComparison({ body: { prompt: ' Hello ', provider_models } });
    expect(await untilEnded(calls, id)).toMatchObject({ status: 'completed', prompt: ' Hello ' });
  });
});

describe('gateway limits of a comparison', () => {
  it('createComparison fails for each model if the user has no task', async () => {
    const userId = await addMember('user', 'tessa@default.test', 1);
    const calls = callsAs(await signIn('tessa@default.test'));
    const provider_models = models(['custom', 'sandbox-normal'], ['anthropic', 'sandbox-normal:tokens=7']);
    const { id } = await calls.createComparison({ body: { prompt: 'Hello', provider_models } });
    const { status, results } = await untilEnded(calls, id);
    expect(status).toBe('partial');
    for (const { status: one, error_message, cost } of results) {
      expect([one, cost]).toEqual(['failed', null]);
      expect(error_message).toContain('Every request needs a task.');
    }
    const { rows } = await gateway.pool.query(
      "SELECT sum(repeats)::integer AS count FROM request_logs WHERE user_id = $1 AND error_code = 'task_required'",
      [userId],
    );
    expect(rows[0].count).toBeGreaterThan(0);
  });

  it("createComparison counts each model against the user's limits and reports the one exceeded", async () => {
    const userId = await addMember('admin', 'lia@default.test', 1);
    await gateway.pool.query('UPDATE users SET requests_per_hour = 1 WHERE id = $1', [userId]);
    const calls = callsAs(await signIn('lia@default.test'));
    const provider_models = models(['custom', 'sandbox-normal'], ['anthropic', 'sandbox-normal:tokens=7']);
    const { id } = await calls.createComparison({ body: { prompt: 'Hello', provider_models } });
    const { results, total_cost } = await untilEnded(calls, id);
    expect(results.map(({ status }) => status).sort()).toEqual(['completed', 'failed']);
    const refused = results.find(({ status }) => status === 'failed');
    expect(refused?.error_message).toMatch(/requests/i);
    expect(refused?.cost).toBeNull();
    expect(total_cost).toBe(results.find(({ status }) => status === 'completed')?.cost);
  });

  it('createComparison is rejected for an operator who acts for another tenant', async () => {
    const other = await gateway.seed.addTenant('Other');
    const token = await signIn();
    const response = await fetch(`${gateway.origin}/api/v1/compare/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-sluice-tenant': String(other),
      },
      body: JSON.stringify({
        prompt: 'Hello',
        provider_models: models(['custom', 'sandbox-normal'], ['custom', 'sandbox-normal']),
      }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('in your own tenant') });
  });
});

describe('input of createComparison', () => {
  it("createComparison rejects invalid input with the form's messages", async () => {
    const calls = callsAs(await signIn());
    const one = ['custom', 'sandbox-normal'] as const;
    const create = (prompt: string, count: number) =>
      calls.createComparison({ body: { prompt, provider_models: models(...Array(count).fill(one)) } });
    await expect(create('  ', 2)).rejects.toMatchObject({ status: 422, message: 'Please enter a prompt' });
    for (const count of [0, 1]) {
      await expect(create('Hello', count)).rejects.toMatchObject({
        status: 422,
        message: 'Please add at least 2 LLM + Model combinations to compare',
      });
    }
    await expect(create('Hello', 7)).rejects.toMatchObject({
      status: 422,
      message: 'Please compare at most 6 LLM + Model combinations',
    });
    const body = { prompt: 'Hello', provider_models: models(['nobody', 'x'], ['custom', 'sandbox-normal']) };
    body.provider_models[0]!.provider_registry_id = 2_147_483_647;
    await expect(calls.createComparison({ body })).rejects.toMatchObject({
      status: 422,
      message: 'This provider is not available',
    });
  });
});

describe('lists of comparisons', () => {
  it("listComparisons pages, searches and filters the caller's comparisons, and administrators can list all", async () => {
    const adaId = await addMember('admin', 'ada@default.test', 1);
    const ada = callsAs(await signIn('ada@default.test'));
    const ids: string[] = [];
    for (const prompt of ['Alpha 100%', 'Beta', 'Gamma']) {
      const provider_models = models(['custom', 'sandbox-normal'], ['custom', 'sandbox-normal']);
      ids.unshift((await ada.createComparison({ body: { prompt, provider_models } })).id);
    }
    await Promise.all(ids.map((id) => untilEnded(ada, id)));
    const idsOf = (list: Comparison[]) => list.map(({ id }) => id);
    let total = '';
    const onHeaders = (headers: Headers) => {
      total = headers.get('x-total-count') ?? '';
    };
    const page = await ada.listComparisons({ query: { limit: 2, offset: 1 } }, { onHeaders });
    expect(idsOf(page)).toEqual(ids.slice(1));
    expect(total).toBe('3');
    expect(idsOf(await ada.listComparisons({ query: { search: '100%' } }))).toEqual(ids.slice(2));
    expect(await ada.listComparisons({ query: { status: 'pending' } })).toEqual([]);
    expect(idsOf(await ada.listComparisons({ query: { status: 'completed' } }))).toEqual(ids);

    const root = callsAs(await signIn());
    expect(idsOf(await root.listComparisons({ query: {} }))).not.toContain(ids[0]);
    expect(idsOf(await root.listAllComparisons({ query: { user_id: adaId } }))).toEqual(ids);
    expect(idsOf(await root.listAllComparisons({ query: {} }))).toEqual(expect.arrayContaining(ids));
    expect(await root.getComparison({ params: { id: ids[0]! } })).toMatchObject({ user_id: adaId });
    const { rows } = await gateway.pool.query(
      "SELECT after ->> 'user_id' AS user_id FROM audit_entries WHERE action = 'getComparison' AND object_id = $1",
      [ids[0]],
    );
    expect(rows).toEqual([{ user_id: String(adaId) }]);
  });
});

describe('comparisons of a dead node', () => {
  it('answers of a dead node are marked as failed after five minutes, with the cost of their requests', async () => {
    const calls = callsAs(await signIn());
    const provider_models = models(['custom', 'sandbox-normal'], ['custom', 'sandbox-normal']);
    const { id } = await calls.createComparison({ body: { prompt: 'Hello', provider_models } });
    const before = await untilEnded(calls, id);
    const forget = (age: string) =>
      gateway.pool.query(
        `UPDATE llm_comparison_results SET status = 'pending', response_text = NULL, request_id = NULL,
           cost_nano_usd = NULL, response_time_ms = NULL, total_tokens = NULL, created_at = now() - $2::interval
         WHERE comparison_id = $1`,
        [id, age],
      );
    const system = createSystemDatabase(gateway.pool);
    const job = createEndLostComparisons(postgresRequestLog);
    // The gateway's own run of this job may hold the lock.
    const run = () => expect.poll(() => runAlone(system, job, createLogger('silent'))).toBe(true);
    await forget('4 minutes 59 seconds');
    await run();
    expect((await calls.getComparison({ params: { id } })).status).toBe('pending');
    await forget('5 minutes 1 second');
    await run();
    const after = await calls.getComparison({ params: { id } });
    expect(after.status).toBe('partial');
    expect(after.results.map(({ error_message }) => error_message)).toEqual(
      Array(2).fill('The gateway stopped while this model was answering. Start the comparison again.'),
    );
    expect(after.results.map(({ cost, request_id }) => ({ cost, request_id }))).toEqual(
      before.results.map(({ cost, request_id }) => ({ cost, request_id })),
    );
  });
});

describe('stored texts of a comparison', () => {
  const setPrivacy = (mode: string) =>
    gateway.pool.query('UPDATE tenants SET prompt_privacy = $1 WHERE id = $2', [mode, gateway.seed.tenantId]);
  afterAll(() => setPrivacy('full'));
  const prompt = 'Repeat the address mara.quist@secrets.example to me';
  const compare = (calls: Calls) =>
    calls.createComparison({
      body: {
        prompt,
        provider_models: models(['custom', 'sandbox-echo'], ['anthropic', 'sandbox-normal:tokens=7']),
      },
    });

  it("createComparison stores texts according to the tenant's prompt privacy but sends models the original prompt", async () => {
    const calls = callsAs(await signIn());
    await setPrivacy('redacted');
    const created = await compare(calls);
    expect(created.prompt).toBe('Repeat the address [email] to me');
    const { results } = await untilEnded(calls, created.id);
    expect(results[0]?.response_text).toContain('[email]');
    const { rows } = await gateway.pool.query(
      `SELECT FROM llm_comparisons c JOIN llm_comparison_results r ON r.comparison_id = c.id
       WHERE c.id = $1 AND (c::text || r::text) LIKE '%mara.quist%'`,
      [created.id],
    );
    expect(rows).toEqual([]);
  });

  it('createComparison is rejected if the tenant stores usage figures only', async () => {
    const calls = callsAs(await signIn());
    await setPrivacy('metadata');
    const count = async () =>
      (await gateway.pool.query('SELECT count(*)::integer FROM llm_comparisons')).rows[0].count;
    const before = await count();
    await expect(compare(calls)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('stores usage figures only'),
    });
    expect(await count()).toBe(before);
  });
});
