import { toNanoUsd } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { postEntries } from '#ledger/post.ts';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { type ScriptedProvider, startScriptedProvider } from '#test/providers/scripted-provider.ts';

const usage = { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50 };
const price = JSON.stringify({ input: 3, output: 15 });
const cost = { input: 20 * 3_000, output: 30 * 15_000 };
const defaultMarkup = 20;

let provider: ScriptedProvider;
let gateway: TestGateway;
let count = 0;
/** Requests, by their `user`, that the provider reports on receipt and ends when the promise resolves. */
const held = new Map<string, { received: () => void; ending: Promise<void> }>();

beforeAll(async () => {
  provider = await startScriptedProvider(async (response, { body }) => {
    const sent = JSON.parse(String(body)) as {
      model: string;
      stream?: boolean;
      input?: string;
      user?: string;
    };
    const base = { id: 'c', created: 1, model: sent.model };
    const isHeld = held.get(sent.user ?? '');
    if (sent.stream) {
      const chunk = (more: object) =>
        `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...more })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const delta = { role: 'assistant', content: 'Hello' };
      response.write(chunk({ choices: [{ index: 0, delta, finish_reason: null }] }));
      isHeld?.received();
      await isHeld?.ending;
      response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      return void response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`);
    }
    isHeld?.received();
    await isHeld?.ending;
    const message = { role: 'assistant', content: 'Hello' };
    const answer =
      sent.input === undefined
        ? { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
        : { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.1] }], usage };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...base, ...answer }));
  });
  gateway = await startGateway({ env: { SLUICE_CONCURRENCY: '8' } });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const run = (statement: string, ...values: unknown[]) => gateway.pool.query(statement, values);

/** Changes that an administrator can make while a request runs. */
const changes: Record<string, (of: { tenantId: number; instanceId: number }) => Promise<unknown>> = {
  'a higher price': ({ instanceId }) =>
    run(
      `UPDATE price_overrides SET price = '{"input":300,"output":1500}' WHERE llm_provider_id = $1`,
      instanceId,
    ),
  'a removed price': ({ instanceId }) =>
    run('DELETE FROM price_overrides WHERE llm_provider_id = $1', instanceId),
  'a deleted provider': ({ instanceId }) => run('DELETE FROM llm_providers WHERE id = $1', instanceId),
  'a higher markup': () => run('UPDATE platform_settings SET markup_percentage = 90'),
};

const operations = {
  'a stream': { path: '/chat/completions', body: { stream: true, messages: hello, max_tokens: 100 } },
  'a response': { path: '/chat/completions', body: { messages: hello, max_tokens: 100 } },
  embeddings: { path: '/embeddings', body: { input: 'Hello' } },
};

async function addPayer(isServiceManaged: boolean) {
  const tenantId = await gateway.seed.addTenant(`tenant-${++count}`);
  const endpoint = `${provider.origin}/v1`;
  const instanceId = await gateway.seed.addInstance({
    name: `own-${count}`,
    models: ['m'],
    endpoint,
    tenantId,
  });
  await run(
    `INSERT INTO price_overrides (tenant_id, llm_provider_id, model, price) VALUES ($1, $2, 'm', $3)`,
    tenantId,
    instanceId,
    price,
  );
  await run('UPDATE llm_providers SET is_service_managed = $2 WHERE id = $1', instanceId, isServiceManaged);
  await run('UPDATE platform_settings SET markup_percentage = $1', defaultMarkup);
  const entry = { kind: 'recharge', description: 'test', actorId: null } as const;
  await createSystemDatabase(gateway.pool).transaction((tx) =>
    postEntries(tx, [{ ...entry, tenantId, amount: toNanoUsd(1), source: `test/${count}` }]),
  );
  const { rows } = await run(
    `INSERT INTO budgets (tenant_id, measure, period, limit_amount) VALUES ($1, 'usd', 'total', $2) RETURNING id`,
    tenantId,
    String(toNanoUsd(1)),
  );
  const { apiKey } = await gateway.seed.addPerson({ name: `payer-${count}`, tenantId });
  return { apiKey, tenantId, instanceId, budgetId: rows[0].id as number };
}

describe.each(Object.keys(operations) as (keyof typeof operations)[])('prices of %s', (operation) => {
  const { body, path } = operations[operation];
  const post = (apiKey: string, more: object = {}) =>
    fetch(`${gateway.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', ...body, ...more }),
    });

  it.each(
    Object.keys(changes).flatMap((change) => [
      { change, isServiceManaged: true },
      // The markup does not apply to providers that the tenant pays itself.
      ...(change === 'a higher markup' ? [] : [{ change, isServiceManaged: false }]),
    ]),
  )(
    'a request is charged at the price of its receipt despite $change while it runs (credits: $isServiceManaged)',
    async ({ change, isServiceManaged }) => {
      const payer = await addPayer(isServiceManaged);
      const costOfProbe = async () => {
        const answer = await post(payer.apiKey, { user: 'probe' });
        await answer.text();
        const id = answer.headers.get('x-request-id') ?? '';
        if (answer.status !== 200) return answer.status;
        await gateway.waitForRow(id);
        const { rows } = await run('SELECT cost_nano_usd::int AS cost FROM request_logs WHERE id = $1', id);
        return rows[0].cost as number | null;
      };
      const output = operation === 'embeddings' ? 0 : cost.output;
      const expected = (cost.input + output) * (isServiceManaged ? 1 + defaultMarkup / 100 : 1);
      await expect.poll(costOfProbe, { timeout: 20_000 }).toBe(expected);

      const received = Promise.withResolvers<void>();
      const ending = Promise.withResolvers<void>();
      const user = `held-${count}`;
      held.set(user, { received: received.resolve, ending: ending.promise });
      const answering = post(payer.apiKey, { user });
      await received.promise;
      await changes[change]?.(payer);
      await expect.poll(costOfProbe, { timeout: 20_000 }).not.toBe(expected);
      ending.resolve();
      const answer = await answering;
      await answer.text();
      const id = answer.headers.get('x-request-id') ?? '';
      await gateway.waitForRow(id);
      const { rows } = await run(
        'SELECT status, cost_nano_usd::int AS cost, is_service_managed AS managed FROM request_logs WHERE id = $1',
        id,
      );
      expect(rows).toEqual([{ status: 'success', cost: expected, managed: isServiceManaged }]);
      const { rows: sums } = await run(
        `SELECT (SELECT sum(cost_nano_usd)::int FROM request_logs WHERE tenant_id = $1) AS logs,
           (SELECT sum(user_llm_nano_usd + company_llm_nano_usd)::int FROM usage_rollups WHERE tenant_id = $1) AS rollups,
           (SELECT settled::int FROM allowances WHERE kind = 'usd_budget' AND subject_id = $2) AS budget,
           (SELECT coalesce(-sum(amount), 0)::int FROM ledger_entries WHERE tenant_id = $1 AND kind = 'deduction') AS ledger`,
        payer.tenantId,
        payer.budgetId,
      );
      const [{ logs, ...others }] = sums;
      expect(others).toEqual({ rollups: logs, budget: logs, ledger: isServiceManaged ? logs : 0 });
    },
    60_000,
  );
});
