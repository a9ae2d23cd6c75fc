import { setTimeout as pause } from 'node:timers/promises';
import { toNanoUsd } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { postEntries } from '#ledger/post.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let person: Principal & { apiKey: string };
let count = 0;

beforeAll(async () => {
  provider = await startScriptedProvider();
  const gone = await startScriptedProvider();
  await gone.close();
  gateway = await startGateway({
    env: { SLUICE_CONCURRENCY: '3' },
    async seed(seed) {
      await seed.addInstance({ name: 'lab', models: ['sandbox-normal:tokens=50'] });
      await seed.addInstance({ name: 'scripted', models: ['m'], endpoint: `${provider.origin}/v1` });
      await seed.addInstance({
        name: 'counting',
        models: ['claude'],
        providerKey: 'anthropic',
        endpoint: provider.origin,
      });
      await seed.addInstance({ name: 'nowhere', models: ['gone'], endpoint: `${gone.origin}/v1` });
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(async () => {
  provider.calls.length = 0;
  provider.script = answerWith(200, completion({ prompt_tokens: 20, completion_tokens: 30 }));
  person = await gateway.seed.addPerson({ name: `person-${count++}` });
  await expect.poll(async () => (await ask({ model: 'nobody' })).status).toBe(404);
});

function completion(usage?: object): string {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }];
  return JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage });
}

const ask = (body: object = {}, init: RequestInit = {}) =>
  gateway.complete({ model: 'm', ...body }, { apiKey: person.apiKey, ...init });

async function setQuotas(quotas: Record<string, number | null>): Promise<void> {
  for (const [column, value] of Object.entries(quotas))
    await gateway.pool.query(`UPDATE users SET ${column} = $1 WHERE id = $2`, [value, person.userId]);
}

async function readAllowances() {
  const { rows } = await gateway.pool.query<{ kind: string; settled: number; leased: number }>(
    `SELECT kind, settled::int, leased::int FROM allowances WHERE subject_id = $1 AND kind <> 'credits'`,
    [person.userId],
  );
  return Object.fromEntries(rows.map(({ kind, settled }) => [kind, settled]));
}

const headersOf = (answer: Response, prefix: string) =>
  Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith(prefix)));

describe('request limit', () => {
  it('the request limit is reported in headers and then as a 429 with the limit, the remaining amount and the reset time', async () => {
    await setQuotas({ requests_per_hour: 2 });
    const first = await ask();
    expect(headersOf(first, 'x-ratelimit')).toEqual({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': expect.stringMatching(/^(\d+m)?[\d.]+s$/),
    });
    await ask();
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'requests_per_hour_exceeded',
        message: expect.stringMatching(
          /^Your limit of requests per hour is reached: 2 of 2 requests are used\. It resets at /,
        ),
      },
    });
    const row = await gateway.waitForRow(refused.headers.get('x-request-id')!);
    expect(row).toMatchObject({ status: 'refused', error_code: 'requests_per_hour_exceeded', attempts: 0 });
    expect(provider.calls).toHaveLength(2);
  });

  it('the request limit does not count a request that reached no provider', async () => {
    await setQuotas({ requests_per_hour: 1 });
    expect((await ask({ model: 'gone' })).status).toBe(502);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });

  it('the request limit counts a request that the provider failed to serve', async () => {
    await setQuotas({ requests_per_hour: 1, daily_quota: 1_000 });
    provider.script = answerWith(500, '{}');
    expect((await ask()).status).toBe(502);
    expect((await ask()).status).toBe(429);
    await expect.poll(readAllowances).toMatchObject({ requests_per_hour: 1, tokens_per_day: 0 });
  });
});

it.each([
  [
    '/api/v1/messages',
    { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] },
    { type: 'error', error: { type: 'rate_limit_error' } },
  ],
  [
    '/api/v1beta/models/m:generateContent',
    { contents: [{ parts: [{ text: 'Hi' }] }] },
    { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
  ],
  ['/api/v1/responses', { model: 'm', input: 'Hi' }, { error: { code: 'requests_per_hour_exceeded' } }],
  ['/api/v1/embeddings', { model: 'm', input: 'Hi' }, { error: { code: 'requests_per_hour_exceeded' } }],
])('%s enforces the request limit and reports it in its own protocol', async (path, body, error) => {
  await setQuotas({ requests_per_hour: 0 });
  await expect.poll(async () => (await ask()).status).toBe(429);
  const answer = await fetch(gateway.origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(429);
  expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('0');
  expect(await answer.json()).toMatchObject(error);
});

describe('token count limits', () => {
  const count = () =>
    fetch(`${gateway.origin}/api/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { 'x-api-key': person.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: 'Hi' }] }),
    });

  beforeEach(() => {
    provider.script = answerWith(200, '{"input_tokens":41}');
  });

  it('a token count uses one request of the hourly limit and no tokens', async () => {
    await setQuotas({ requests_per_hour: 2, daily_quota: 0 });
    const first = await count();
    expect([first.status, await first.json()]).toEqual([200, { input_tokens: 41 }]);
    expect(headersOf(first, 'x-ratelimit')).toMatchObject({ 'x-ratelimit-remaining-requests': '1' });
    expect((await count()).status).toBe(200);
    const refused = await count();
    expect(await refused.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
    expect(await gateway.waitForRow(refused.headers.get('x-request-id')!)).toMatchObject({
      operation: 'tokens.count',
      status: 'refused',
      error_code: 'requests_per_hour_exceeded',
    });
    expect(provider.calls).toHaveLength(2);
    await expect.poll(readAllowances).toEqual({ requests_per_hour: 2 });
  });

  it('a token count beyond the limit reaches no provider', async () => {
    await setQuotas({ requests_per_hour: 0 });
    const answers = await Promise.all(Array.from({ length: 20 }, count));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    expect(provider.calls).toHaveLength(0);
  });

  it('a token count is limited by requests in flight', async () => {
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let waiting = 0;
    const fast = provider.script;
    provider.script = async (response, call) => {
      if (++waiting === 3) arrived.resolve();
      await release.promise;
      fast(response, call);
    };
    const held = [count(), count(), count()];
    await arrived.promise;
    const refused = await count();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    release.resolve();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await count()).status).toBe(200);
  });
});

describe('token limit', () => {
  it('the token limit counts reported usage instead of the hold', async () => {
    await setQuotas({ daily_quota: 1_000, monthly_quota: 5_000 });
    const answer = await ask();
    expect(answer.status).toBe(200);
    await expect.poll(readAllowances).toMatchObject({ tokens_per_day: 50, tokens_per_month: 50 });
    const next = await ask();
    expect(headersOf(next, 'x-ratelimit')).toMatchObject({
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-reset-tokens': expect.any(String),
    });
    expect(await ask({ format: 'minimal' }).then((minimal) => minimal.json())).toMatchObject({
      remaining_tokens: 850,
    });
  });

  it('a request without max_tokens is capped at the remaining tokens, and a response header reports the cap', async () => {
    await setQuotas({ daily_quota: 1_000, monthly_quota: 50_000 });
    const answer = await ask();
    const { max_tokens: cap } = JSON.parse(provider.calls[0]!.body.toString());
    expect(cap).toBeGreaterThan(950);
    expect(cap).toBeLessThan(1_000);
    expect(answer.headers.get('x-sluice-output-cap')).toBe(`${cap}; limit=tokens_per_day`);
    expect(answer.headers.get('x-sluice-warning')).toBe(
      `the response is limited to ${cap} tokens by your remaining limits`,
    );
    const whole = await ask({ max_tokens: 100 });
    expect(whole.headers.get('x-sluice-output-cap')).toBeNull();
  });

  it('the token limit is shared among requests in flight', async () => {
    await setQuotas({ daily_quota: 2_000 });
    const release = Promise.withResolvers<void>();
    const fast = provider.script;
    provider.script = async (response, call) => {
      await release.promise;
      fast(response, call);
    };
    const first = ask({ max_tokens: 400 });
    await expect.poll(() => provider.calls.length).toBe(1);
    const second = ask();
    await expect.poll(() => provider.calls.length).toBe(2);
    const { max_tokens: cap } = JSON.parse(provider.calls[1]!.body.toString());
    expect(cap).toBeGreaterThan(700);
    expect(cap).toBeLessThan(800);
    release.resolve();
    await Promise.all([first, second]);
  });

  it('the token limit is not exceeded again by a provider that ignores the cap', async () => {
    await setQuotas({ daily_quota: 1_000 });
    provider.script = answerWith(200, completion({ prompt_tokens: 16, completion_tokens: 1_000 }));
    const statuses = [];
    for (let index = 0; index < 3; index++) statuses.push((await ask({ max_tokens: 50 })).status);
    expect(statuses).toEqual([200, 429, 429]);
    await expect.poll(readAllowances).toMatchObject({ tokens_per_day: 1_016 });
  });

  it('the token limit does not change a request that fits or is unlimited', async () => {
    await setQuotas({ daily_quota: 1_000_000 });
    await ask({ max_tokens: 77 });
    await setQuotas({ daily_quota: null });
    await expect
      .poll(async () => {
        await ask();
        return JSON.parse(provider.calls.at(-1)!.body.toString()).max_tokens;
      })
      .toBeUndefined();
    expect(JSON.parse(provider.calls[0]!.body.toString()).max_tokens).toBe(77);
  });

  it('the token limit rejects a request that does not fit even at the minimum', async () => {
    await setQuotas({ daily_quota: 1_000, monthly_quota: 20 });
    const refused = await ask({ max_tokens: 500 });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'tokens_per_month_exceeded',
        message: expect.stringMatching(
          /^Your monthly token quota is not sufficient: 0 of 20 tokens are used, and this request needs at least \d+\./,
        ),
      },
    });
  });

  it('the token limit counts all reported input, even beyond the hold', async () => {
    await setQuotas({ daily_quota: 10_000 });
    provider.script = answerWith(200, completion({ prompt_tokens: 300_000, completion_tokens: 30 }));
    const answer = await ask({ max_tokens: 100 });
    const row = await gateway.waitForRow(answer.headers.get('x-request-id')!);
    expect(row).toMatchObject({
      prompt_tokens: 300_000,
      completion_tokens: 30,
      usage_source: 'provider',
    });
    await expect.poll(readAllowances).toMatchObject({ tokens_per_day: 300_030 });
    expect((await ask()).status).toBe(429);
  });

  it('the token limit counts all reported output, even beyond the hold', async () => {
    await setQuotas({ daily_quota: 10_000 });
    provider.script = answerWith(200, completion({ prompt_tokens: 20, completion_tokens: 900_000 }));
    const answer = await ask({ max_tokens: 100 });
    const row = await gateway.waitForRow(answer.headers.get('x-request-id')!);
    expect(row).toMatchObject({
      prompt_tokens: 20,
      completion_tokens: 900_000,
      usage_source: 'provider',
    });
    await expect.poll(readAllowances).toMatchObject({ tokens_per_day: 900_020 });
  });

  it('the token limit counts an estimate if the provider reports no usage', async () => {
    await setQuotas({ daily_quota: 10_000 });
    provider.script = answerWith(200, completion());
    const answer = await ask();
    const row = await gateway.waitForRow(answer.headers.get('x-request-id')!);
    expect(row).toMatchObject({ status: 'success', usage_source: 'estimated' });
    expect(row.prompt_tokens).toBeGreaterThan(0);
    expect(row.completion_tokens).toBeGreaterThan(0);
  });
});

describe('credits', () => {
  const costOfAnswer = 20 * 3_600 + 30 * 18_000;

  beforeEach(async () => {
    const tenantId = await gateway.seed.addTenant(`tenant-${count}`);
    const id = await gateway.seed.addInstance({
      name: 'managed',
      models: ['m'],
      endpoint: `${provider.origin}/v1`,
      tenantId,
    });
    await gateway.pool.query(
      `INSERT INTO price_overrides (tenant_id, llm_provider_id, model, price) VALUES ($1, $2, 'm', '{"input":3,"output":15}')`,
      [tenantId, id],
    );
    await gateway.pool.query('UPDATE llm_providers SET is_service_managed = true WHERE id = $1', [id]);
    // The user is added last, so that the gateway has everything else once it has the key.
    person = await gateway.seed.addPerson({ name: `payer-${count++}`, tenantId });
    await expect.poll(async () => (await ask()).status).toBe(402);
    // Until the gateway has the user, responses may come from an instance that the tenant pays for directly.
    person = await gateway.seed.addPerson({ name: `payer-${count++}`, tenantId });
    await expect.poll(async () => (await ask()).status).toBe(402);
    provider.calls.length = 0;
  });

  it('credits give no access to files the operator keeps at a provider', async () => {
    const messages = [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file_of_others' } }] }];
    const answer = await ask({ messages });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { param: 'file_id' } });
    expect(provider.calls).toHaveLength(0);
  });

  it("credits pay only for tokens: costlier features are rejected by name, and allowed at the tenant's own instances", async () => {
    const answer = await ask({ web_search_options: {} });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { param: 'web_search_options' } });
    expect(provider.calls).toHaveLength(0);
    await gateway.pool.query('UPDATE llm_providers SET is_service_managed = false WHERE tenant_id = $1', [
      person.tenantId,
    ]);
    await expect.poll(async () => (await ask({ web_search_options: {} })).status).toBe(200);
    expect(JSON.parse(provider.calls[0]!.body.toString())).toMatchObject({ web_search_options: {} });
  });

  it.each([
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
  ])('credits cover audio in a request only for a model with an audio rate: $type', async (part) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, part] }];
    const refused = await ask({ messages });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('audio or video') } },
    ]);
    expect(provider.calls).toHaveLength(0);
    await recharge(1);
    await gateway.pool.query(
      `UPDATE price_overrides SET price = '{"input":3,"output":15,"audio_input":30}' WHERE tenant_id = $1`,
      [person.tenantId],
    );
    await expect.poll(async () => (await ask({ messages, max_tokens: 100 })).status).toBe(200);
  });

  const recharge = (dollars: number) =>
    createSystemDatabase(gateway.pool).transaction((tx) =>
      postEntries(tx, [
        {
          tenantId: person.tenantId,
          kind: 'recharge',
          amount: toNanoUsd(dollars),
          source: `test/${count++}`,
          description: 'test',
          actorId: null,
        },
      ]),
    );
  const askServed = async (body: object) => {
    for (;;) {
      const answer = await ask(body);
      if (answer.status !== 402) return answer;
      await pause(20);
    }
  };
  const readBalance = async () => {
    const { rows } = await gateway.pool.query(
      `SELECT (limit_amount - settled)::int AS balance, leased::int,
         (SELECT balance_after::int FROM ledger_entries WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1) AS booked
       FROM allowances WHERE kind = 'credits' AND subject_id = $1`,
      [person.tenantId],
    );
    return rows[0];
  };

  it('credits are charged for usage plus markup, with equal amounts in the row, the ledger and the header', async () => {
    await recharge(1);
    const answer = await askServed({ max_tokens: 100 });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-sluice-cost')).toBe('0.000612');
    await gateway.waitForRow(answer.headers.get('x-request-id')!);
    const { rows } = await gateway.pool.query(
      'SELECT cost_nano_usd::int AS cost, is_service_managed AS managed, price FROM request_logs WHERE id = $1',
      [answer.headers.get('x-request-id')],
    );
    expect(rows).toEqual([
      { cost: costOfAnswer, managed: true, price: { input: 3, output: 15, markup_percentage: 20 } },
    ]);
    const balance = 1e9 - costOfAnswer;
    await expect.poll(readBalance).toEqual({ balance, booked: balance, leased: expect.any(Number) });
    const { rows: rollups } = await gateway.pool.query(
      'SELECT sum(company_llm_nano_usd)::int AS company, sum(user_llm_nano_usd)::int AS own FROM usage_rollups WHERE user_id = $1',
      [person.userId],
    );
    expect(rollups).toEqual([{ company: costOfAnswer, own: 0 }]);
  });

  it('credits are charged a changed markup to the nano-dollar, with equal amounts in rows, rollups and deductions', async () => {
    await recharge(1);
    provider.script = answerWith(200, completion({ prompt_tokens: 7, completion_tokens: 11 }));
    const setMarkup = (percent: number) =>
      gateway.pool.query('UPDATE platform_settings SET markup_percentage = $1', [percent]);
    const costs: number[] = [];
    // 7 x 3,000 and 11 x 15,000 add up to 186,000. Fractions are rounded up per request.
    for (const [percent, cost] of [
      [12.34, 208_953],
      [0.01, 186_019],
      [20, 223_200],
    ] as const) {
      await setMarkup(percent);
      const isCharged = async () => {
        const answer = await askServed({ max_tokens: 100 });
        const id = answer.headers.get('x-request-id') ?? '';
        await gateway.waitForRow(id);
        const { rows } = await gateway.pool.query('SELECT cost_nano_usd FROM request_logs WHERE id = $1', [
          id,
        ]);
        costs.push(Number(rows[0].cost_nano_usd));
        return costs.at(-1);
      };
      await expect.poll(isCharged).toBe(cost);
    }
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    const sum = async (statement: string) =>
      Number((await gateway.pool.query(statement, [person.tenantId])).rows[0].sum);
    await expect
      .poll(() =>
        sum("SELECT -sum(amount) AS sum FROM ledger_entries WHERE kind = 'deduction' AND tenant_id = $1"),
      )
      .toBe(total);
    expect(await sum('SELECT sum(company_llm_nano_usd) FROM usage_rollups WHERE tenant_id = $1')).toBe(total);
    expect(await sum('SELECT sum(cost_nano_usd) FROM request_logs WHERE tenant_id = $1')).toBe(total);
  });

  it('insufficient credits shorten the response, and then cause a 402 that names the remaining amount', async () => {
    await recharge(0.0026);
    const cut = await askServed({ max_tokens: 1_000 });
    expect(cut.status).toBe(200);
    const { max_tokens: cap } = JSON.parse(provider.calls.at(-1)!.body.toString());
    expect(cap).toBeGreaterThan(64);
    expect(cap).toBeLessThan(167);
    expect(cut.headers.get('x-sluice-warning')).toContain(`limited to ${cap} tokens instead of 1000`);
    for (const _ of [2, 3, 4]) await ask({ max_tokens: 1_000 });
    const refused = await ask({ max_tokens: 1_000 });
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'insufficient_credits',
        message: expect.stringMatching(
          /^Your organization's credit balance is not sufficient: \$0\.0001\d* is left, and this request needs at least \$0\.000\d+\./,
        ),
      },
    });
  });

  it('credits cannot be spent if the organization forbids it', async () => {
    await recharge(1);
    await gateway.pool.query('UPDATE tenants SET is_service_spending_allowed = false WHERE id = $1', [
      person.tenantId,
    ]);
    // Requests are rejected for lack of credits until both changes have arrived.
    await expect
      .poll(async () => (await ask()).json())
      .toMatchObject({ error: { message: expect.stringContaining('disabled spending credits') } });
    expect((await ask()).status).toBe(402);
  });

  it('a suspended tenant is rejected until it is active again', async () => {
    const setStatus = (status: string) =>
      gateway.pool.query('UPDATE tenants SET status = $1 WHERE id = $2', [status, person.tenantId]);
    await gateway.pool.query('UPDATE llm_providers SET is_service_managed = false WHERE tenant_id = $1', [
      person.tenantId,
    ]);
    await expect.poll(async () => (await ask()).status).toBe(200);
    await setStatus('suspended');
    await expect.poll(async () => (await ask()).status).toBe(402);
    expect(await (await ask()).json()).toMatchObject({ error: { code: 'tenant_suspended' } });
    await gateway.pool.query(
      "UPDATE tenants SET suspension_reason = 'The invoice is overdue' WHERE id = $1",
      [person.tenantId],
    );
    await expect
      .poll(async () => (await ask()).json())
      .toMatchObject({
        error: { message: expect.stringContaining('is suspended: The invoice is overdue.') },
      });
    await setStatus('active');
    await expect.poll(async () => (await ask()).status).toBe(200);
  });

  it.each(['before', 'after'])(
    "a tenant's own instance serves a model without credits if listed %s the service-managed one",
    async (order) => {
      const position = order === 'before' ? 1 : 2;
      const id = await gateway.seed.addInstance({
        name: `own-${count++}`,
        models: ['m'],
        endpoint: `${provider.origin}/v1`,
        tenantId: person.tenantId,
      });
      await gateway.pool.query(
        `UPDATE llm_providers SET fallback_position = CASE WHEN id = $1 THEN $2 ELSE 3 - $2 END WHERE tenant_id = $3`,
        [id, position, person.tenantId],
      );
      const answer = await askServed({ max_tokens: 100 });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-sluice-warning')).toContain('"managed"');
      const row = await gateway.waitForRow(answer.headers.get('x-request-id')!);
      expect(row).toMatchObject({ status: 'success', llm_provider_id: id });
      expect(JSON.parse(provider.calls.at(-1)!.body.toString()).max_tokens).toBe(100);
    },
  );

  it('credits are not charged for self-managed instances, but a header reports the cost', async () => {
    await gateway.pool.query('UPDATE llm_providers SET is_service_managed = false WHERE tenant_id = $1', [
      person.tenantId,
    ]);
    await expect.poll(async () => (await ask()).status).toBe(200);
    const answer = await ask();
    expect(answer.headers.get('x-sluice-cost')).toBe('0.00051');
    expect(await readBalance()).toBeUndefined();
  });
});

it('a lowered limit takes effect within a second', async () => {
  await setQuotas({ requests_per_hour: 1_000 });
  expect((await ask()).status).toBe(200);
  await setQuotas({ requests_per_hour: 1 });
  await expect.poll(async () => (await ask()).status, { timeout: 1_000 }).toBe(429);
});

it('a user can have at most SLUICE_CONCURRENCY requests in flight', async () => {
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let waiting = 0;
  const fast = provider.script;
  provider.script = async (response, call) => {
    if (++waiting === 3) arrived.resolve();
    await release.promise;
    await fast(response, call);
  };
  const held = [ask(), ask(), ask()];
  await arrived.promise;
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toMatchObject({ error: { code: 'too_many_at_once' } });
  release.resolve();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await ask()).status).toBe(200);
});

it('rollups count the requests, errors and tokens of each model', async () => {
  const answers = [await ask(), await ask(), await ask({ model: 'gone' })];
  await Promise.all(answers.map((answer) => gateway.waitForRow(answer.headers.get('x-request-id')!)));
  const { rows } = await gateway.pool.query(
    `SELECT model, sum(requests)::int AS requests, sum(errors)::int AS errors, sum(input_tokens)::int AS input,
       sum(output_tokens)::int AS output FROM usage_rollups WHERE user_id = $1 AND model IN ('m', 'gone') GROUP BY model ORDER BY model`,
    [person.userId],
  );
  expect(rows).toEqual([
    { model: 'gone', requests: 1, errors: 1, input: 0, output: 0 },
    { model: 'm', requests: 2, errors: 0, input: 40, output: 60 },
  ]);
});

it('limits log no problems', () => {
  expect(gateway.problems).toEqual([]);
});
