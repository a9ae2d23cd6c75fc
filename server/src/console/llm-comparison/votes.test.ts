import { randomUUIDv7 } from 'node:crypto';
import {
  authRoutes,
  type Comparison,
  type ComparisonVote,
  createClient,
  llmComparisonRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

let gateway: TestGateway;
let registryId = 0;

beforeAll(async () => {
  gateway = await startGateway({
    async seed(seed) {
      const models = ['sandbox-normal', 'sandbox-echo', 'sandbox-slow:tokens=20', 'sandbox-error-500'];
      await seed.addInstance({
        name: 'open',
        providerKey: 'custom',
        endpoint: `${seed.sandboxOrigin}/v1`,
        models,
      });
    },
  });
  const { rows } = await gateway.pool.query("SELECT id FROM provider_registry WHERE provider_key = 'custom'");
  registryId = rows[0].id;
});
afterAll(() => gateway.stop());

async function callsOf(email = gateway.admin.email) {
  const auth = createClient(authRoutes, { baseUrl: gateway.origin, headers: () => ({}) });
  const { access_token } = await auth.login({ form: { username: email, password: gateway.admin.password } });
  return createClient(llmComparisonRoutes, {
    baseUrl: gateway.origin,
    headers: () => ({ authorization: `Bearer ${access_token}` }),
  });
}
type Calls = Awaited<ReturnType<typeof callsOf>>;

async function addMember(role: 'admin' | 'user', email: string, tenantId = 1): Promise<Calls> {
  await gateway.pool.query(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
     SELECT $1, roles.id, $2, $2, admin.password_hash
     FROM roles, users admin WHERE roles.name = $3 AND admin.email = $4`,
    [tenantId, email, role, gateway.admin.email],
  );
  return callsOf(email);
}

const start = (calls: Calls, models: readonly string[]) =>
  calls.createComparison({
    body: {
      prompt: 'Hello',
      provider_models: models.map((model_name) => ({ provider_registry_id: registryId, model_name })),
      is_blind: true,
    },
  });

async function untilEnded(calls: Calls, id: string): Promise<Comparison> {
  await expect.poll(async () => (await calls.getComparison({ params: { id } })).status).not.toBe('pending');
  return calls.getComparison({ params: { id } });
}

const vote = (calls: Calls, id: string, given: ComparisonVote) =>
  calls.voteOnComparison({ params: { id }, body: { vote: given } });

/** Fields that reveal a model, its position in the request, its speed or its price. */
const identifyingFields = [
  'provider_registry_id',
  'provider_name',
  'model_name',
  'cost',
  'response_time_ms',
  'total_tokens',
  'request_id',
  'error_message',
] as const;

function expectHidden({ results, total_cost, is_revealed }: Comparison, secrets: readonly string[]) {
  expect([is_revealed, total_cost]).toEqual([false, null]);
  for (const result of results) {
    for (const name of identifyingFields) expect(result[name], name).toBeNull();
    expect(secrets).not.toContain(result.id);
  }
  expect(results.map(({ label }) => label).join('')).toBe('ABCDEF'.slice(0, results.length));
}

async function secretsOf(id: string): Promise<string[]> {
  const { rows } = await gateway.pool.query(
    'SELECT id, request_id, model_name FROM llm_comparison_results WHERE comparison_id = $1',
    [id],
  );
  return rows.flatMap((row) => [row.id, row.model_name, ...(row.request_id ? [row.request_id] : [])]);
}

describe('a blind comparison', () => {
  it('a blind comparison hides its models and their speed in every call until the vote', async () => {
    const calls = await callsOf();
    const models = ['sandbox-slow:tokens=20', 'sandbox-normal'];
    const created = await start(calls, models);
    expectHidden(created, await secretsOf(created.id));
    const statuses = ['pending', 'pending'];
    await expect
      .poll(async () => {
        const { results, status } = await calls.getComparison({ params: { id: created.id } });
        if (status === 'pending') {
          expect(results.map((result) => result.status)).toEqual(statuses);
          expect(results.map(({ response_text }) => response_text)).toEqual([null, null]);
        }
        return status;
      })
      .toBe('completed');

    const seen = await calls.getComparison({ params: { id: created.id } });
    const [own] = await calls.listComparisons({ query: {} });
    const [ofAll] = await calls.listAllComparisons({ query: {} });
    const secrets = await secretsOf(created.id);
    for (const one of [seen, own!, ofAll!]) {
      expectHidden(one, secrets);
      for (const secret of secrets) expect(JSON.stringify(one)).not.toContain(secret);
    }
    expect(seen.results.map(({ response_text }) => typeof response_text)).toEqual(['string', 'string']);
    expect(created.results.map(({ id }) => id)).toEqual(seen.results.map(({ id }) => id));

    const told = await vote(calls, created.id, 'B');
    expect(told).toMatchObject({ is_revealed: true, vote: 'B' });
    expect(told.results.map(({ model_name }) => model_name).toSorted()).toEqual(models.toSorted());
    expect(told.results.map(({ response_text }) => response_text)).toEqual(
      seen.results.map(({ response_text }) => response_text),
    );
    expect(await calls.getComparison({ params: { id: created.id } })).toEqual(told);
  });

  it('voteOnComparison accepts one vote per user and reveals the models to that user only', async () => {
    const calls = await callsOf();
    const { id } = await start(calls, ['sandbox-normal', 'sandbox-echo', 'sandbox-normal']);
    await untilEnded(calls, id);
    const both = await Promise.allSettled([vote(calls, id, 'A'), vote(calls, id, 'tie')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(vote(calls, id, 'C')).rejects.toMatchObject({
      status: 409,
      message: 'You have already voted on this comparison.',
    });

    const colleague = await addMember('admin', 'cora@default.test');
    expectHidden(await colleague.getComparison({ params: { id } }), await secretsOf(id));
    expect(await vote(colleague, id, 'skipped')).toMatchObject({ vote: 'skipped', is_revealed: true });
    // Voting also reads the comparison, which is covered by the audit entry of the current hour.
    const { rows } = await gateway.pool.query(
      "SELECT action FROM audit_entries WHERE object_id = $1 AND object_type = 'prompt'",
      [id],
    );
    expect(rows).toEqual([{ action: 'getComparison' }]);
  });

  it('voteOnComparison rejects users without access, running comparisons and unknown answers', async () => {
    const calls = await callsOf();
    const { id } = await start(calls, ['sandbox-slow:tokens=20', 'sandbox-normal', 'sandbox-error-500']);
    await expect(vote(calls, id, 'A')).rejects.toMatchObject({ status: 409 });
    const other = await addMember('user', 'uma@default.test');
    const stranger = await addMember('admin', 'olga@other.test', await gateway.seed.addTenant('Other'));
    for (const one of [other, stranger]) {
      await expect(vote(one, id, 'A')).rejects.toMatchObject({
        status: 404,
        message: 'Comparison not found',
      });
    }
    const { results } = await untilEnded(calls, id);
    const failed = results.find(({ status }) => status === 'failed')!.label!;
    for (const missing of [failed, 'D'] as const) {
      await expect(vote(calls, id, missing)).rejects.toMatchObject({ status: 422 });
    }
    await vote(calls, id, 'all_bad');
  });

  it('a blind comparison reveals its models without a vote if fewer than two answered', async () => {
    const calls = await callsOf();
    const { id } = await start(calls, ['sandbox-error-500', 'sandbox-normal']);
    const ended = await untilEnded(calls, id);
    expect(ended).toMatchObject({ is_revealed: true, vote: null });
    expect(ended.results.map(({ model_name }) => model_name)).toContain('sandbox-error-500');
    await expect(vote(calls, id, 'A')).rejects.toMatchObject({ status: 409 });
  });
});

/** `answers` are the models and the prices of their answers, in order. */
async function addEnded(
  tenantId: number,
  userId: number,
  answers: readonly (readonly [string, number | null])[],
) {
  const id = randomUUIDv7();
  await gateway.pool.query(
    "INSERT INTO llm_comparisons (id, tenant_id, user_id, prompt, is_blind) VALUES ($1, $2, $3, 'Hello', true)",
    [id, tenantId, userId],
  );
  const resultIds: string[] = [];
  for (const [index, [model, cost]] of answers.entries()) {
    const { rows } = await gateway.pool.query(
      `INSERT INTO llm_comparison_results (id, tenant_id, comparison_id, position, provider_registry_id, provider_name,
         model_name, status, total_tokens, cost_nano_usd) VALUES ($1, $2, $3, $4, 1, 'P', $5, 'completed', 1, $6) RETURNING id`,
      [randomUUIDv7(), tenantId, id, index + 1, model, cost],
    );
    resultIds.push(rows[0].id);
  }
  const addVote = (verdict: string, index?: number) =>
    gateway.pool.query(
      'INSERT INTO llm_comparison_votes (tenant_id, comparison_id, user_id, verdict, result_id) VALUES ($1, $2, $3, $4, $5)',
      [tenantId, id, userId, verdict, index === undefined ? null : resultIds[index]],
    );
  return addVote;
}

describe('listWinRates', () => {
  it('listWinRates counts all votes of the tenant and no others, regardless of the order of answers', async () => {
    const tenantId = await gateway.seed.addTenant('Votes');
    const calls = await addMember('admin', 'vera@votes.test', tenantId);
    const { rows } = await gateway.pool.query("SELECT id FROM users WHERE email = 'vera@votes.test'");
    const add = (...answers: (readonly [string, number | null])[]) => addEnded(tenantId, rows[0].id, answers);
    expect(await calls.listWinRates()).toEqual([]);

    await (await add(['big', 3_000], ['small', 1_000]))('best', 0);
    await (await add(['small', 1_000], ['big', 3_000]))('best', 1);
    await (await add(['small', 2_000], ['big', null]))('tie');
    await (await add(['big', 3_000], ['small', 1_000], ['mid', 500]))('all_bad');
    // A model with two answers counts once. Comparisons of a single model and skipped votes do not count.
    await (await add(['big', 3_000], ['big', 3_000], ['small', 1_000]))('best', 1);
    await (await add(['small', 1_000], ['small', 1_000]))('best', 0);
    await (await add(['mid', 1], ['big', 1]))('skipped');
    await add(['mid', 1], ['big', 1]);

    const rates = await calls.listWinRates();
    expect(
      rates.map(({ model_name, votes, wins, ties, win_rate }) => [model_name, votes, wins, ties, win_rate]),
    ).toEqual([
      ['big', 5, 3, 1, 0.7],
      ['small', 5, 0, 1, 0.1],
      ['mid', 1, 0, 0, 0],
    ]);
    const [big] = rates;
    expect(big).toMatchObject({ answers: 6, total_cost: 0.000_015, average_cost_per_answer: 0.000_003 });
    expect(big?.win_rate_low).toBeCloseTo(0.2988, 3);
    expect(big?.win_rate_high).toBeCloseTo(0.9274, 3);

    const stranger = await addMember('admin', 'nora@none.test', await gateway.seed.addTenant('None'));
    expect(await stranger.listWinRates()).toEqual([]);
  });

  it('listWinRates requires access to the log', async () => {
    const calls = await addMember('user', 'ugo@default.test');
    await expect(calls.listWinRates()).rejects.toMatchObject({ status: 403 });
  });
});
