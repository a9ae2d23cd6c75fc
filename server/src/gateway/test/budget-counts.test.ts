import {
  budgetDefaultsRoutes,
  budgetsRoutes,
  chatsRoutes,
  createClient,
  llmComparisonRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import { type ScriptedProvider, startScriptedProvider } from '#test/providers/scripted-provider.ts';

const taskId = 71;
const usage = {
  prompt_tokens: 40,
  completion_tokens: 30,
  total_tokens: 70,
  prompt_tokens_details: { cached_tokens: 16 },
};
const price = { input: 1_000, cache_read: 100, output: 2_000 };

let provider: ScriptedProvider;
let gateway: TestGateway;
let session: Awaited<ReturnType<typeof signIn>>;
let member: Principal & { apiKey: string };
let failures = 0;

beforeAll(async () => {
  provider = await startScriptedProvider((response, { body }) => {
    const sent = JSON.parse(String(body)) as { model: string; stream?: boolean; input?: unknown };
    if (sent.model === 'falls-back' && failures++ < 3) return void response.writeHead(500).end('{}');
    if (sent.input !== undefined)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          object: 'list',
          model: sent.model,
          data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }],
          usage: { prompt_tokens: 12, total_tokens: 12 },
        }),
      );
    const message = { role: 'assistant', content: 'Hello' };
    const base = { id: 'c', created: 1, model: sent.model };
    if (!sent.stream) {
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      const answer = { ...base, object: 'chat.completion', choices, usage };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }
    const chunk = (more: object) =>
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...more })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ choices: [{ index: 0, delta: message, finish_reason: null }] }));
    response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`);
  });
  const endpoint = `${provider.origin}/v1`;
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'one', models: ['m', 'falls-back', 'embed'], endpoint });
      await seed.addInstance({ name: 'two', models: ['falls-back'], endpoint });
      await seed.addTasks(taskId);
    },
  });
  session = await signIn(gateway);
  await gateway.pool.query(
    `INSERT INTO price_overrides (tenant_id, llm_provider_id, model, price)
     SELECT tenant_id, id, unnest(enabled_models), $1 FROM llm_providers WHERE provider_instance_name IN ('one', 'two')`,
    [JSON.stringify(price)],
  );
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

async function addBudgets(): Promise<void> {
  member = await gateway.seed.addPerson({ name: 'mara', role: 'user' });
  const { rows } = await gateway.pool.query<{ team: number; key: number; one: number }>(
    `WITH team AS (INSERT INTO teams (tenant_id, name) VALUES ($1, 'Platform') RETURNING id),
       joined AS (INSERT INTO team_members (tenant_id, team_id, user_id) SELECT $1, id, $2 FROM team),
       granted AS (INSERT INTO team_provider_access (tenant_id, team_id, llm_provider_id, allowed_models)
         SELECT $1, team.id, p.id, p.enabled_models FROM team, llm_providers p WHERE p.provider_instance_name IN ('one', 'two'))
     SELECT team.id AS team, (SELECT min(id) FROM api_keys WHERE user_id = $2) AS key,
       (SELECT id FROM llm_providers WHERE provider_instance_name = 'one') AS one FROM team`,
    [member.tenantId, member.userId],
  );
  const { key: api_key_id, one: llm_provider_id, team: team_id } = rows[0]!;
  await createClient(budgetDefaultsRoutes, session).createBudgetDefault({
    body: { team_id, measure: 'usd', window: 'month', limit: 1_000 },
  });
  const { createBudget } = createClient(budgetsRoutes, session);
  const user = { subject_type: 'user', subject_id: member.userId } as const;
  const month = { window: 'month', limit: 1_000_000 } as const;
  await createBudget({ body: { ...month, subject_type: 'tenant', measure: 'usd' } });
  await createBudget({ body: { ...month, subject_type: 'team', subject_id: team_id, measure: 'usd' } });
  await createBudget({
    body: { ...month, subject_type: 'api_key', subject_id: api_key_id, measure: 'requests' },
  });
  await createBudget({
    body: { ...month, subject_type: 'provider', subject_id: llm_provider_id, measure: 'tokens' },
  });
  await createBudget({
    body: { ...month, measure: 'tokens', ...user, llm_provider_id, model_pattern: 'm' },
  });
  await createBudget({ body: { ...month, measure: 'usd', window: 'week', team_id, ...user } });
}

async function post(path: string, body: object): Promise<number> {
  const answer = await fetch(`${gateway.origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.text();
  return answer.status;
}

const chat = (more: object = {}) =>
  post('/v1/chat/completions', { model: 'm', max_tokens: 30, messages: hello, ...more });

async function readCounts() {
  const { rows } = await gateway.pool.query<{ subject: string; counted: number; rows: number }>(
    `SELECT concat_ws(' ', b.measure, b.period, 'team ' || b.team_id, 'user ' || b.user_id, 'key ' || b.api_key_id,
       'provider ' || b.llm_provider_id, b.model_pattern) AS subject, coalesce(a.settled, 0)::float8 AS counted,
       (SELECT coalesce(sum(CASE b.measure WHEN 'usd' THEN coalesce(l.cost_nano_usd, 0)
           WHEN 'tokens' THEN l.prompt_tokens + l.completion_tokens ELSE 1 END), 0) FROM request_logs l
         WHERE l.tenant_id = b.tenant_id AND l.status <> 'refused' AND l.received_at >= b.created_at
           AND (l.operation <> 'tokens.count' OR b.measure = 'requests')
           AND (b.team_id IS NULL OR l.team_id = b.team_id) AND (b.user_id IS NULL OR l.user_id = b.user_id)
           AND (b.api_key_id IS NULL OR l.api_key_id = b.api_key_id)
           AND (b.llm_provider_id IS NULL OR l.llm_provider_id = b.llm_provider_id)
           AND (b.model_pattern IS NULL OR l.model = b.model_pattern))::float8 AS rows
     FROM budgets b LEFT JOIN allowances a ON a.kind = kind_of_budget(b.measure) AND a.subject_id = b.id ORDER BY b.id`,
  );
  return rows;
}

it('each budget counts the sum over the rows of its requests, for every kind of request', async () => {
  await addBudgets();
  await expect.poll(() => chat({ max_tokens: 1 })).toBe(200);
  expect(await Promise.all(Array.from({ length: 6 }, () => chat()))).toEqual(Array(6).fill(200));
  expect(await chat({ stream: true })).toBe(200);
  expect(await post('/v1/messages', { model: 'm', max_tokens: 20, messages: hello })).toBe(200);
  expect(await post('/v1/responses', { model: 'm', input: 'Hello', stream: true })).toBe(200);
  expect(await post('/v1/embeddings', { model: 'embed', input: 'Hello' })).toBe(200);
  expect(await post('/v1/messages/count_tokens', { model: 'm', messages: hello })).toBe(200);
  expect(await chat({ model: 'falls-back' })).toBe(200);
  const { rows: vendors } = await gateway.pool.query<{ id: number }>(
    "SELECT provider_registry_id AS id FROM llm_providers WHERE provider_instance_name = 'one'",
  );
  const compared = { provider_registry_id: vendors[0]!.id, model_name: 'm' };
  await createClient(llmComparisonRoutes, session).createComparison({
    body: { prompt: 'Hello', provider_models: [compared, compared] },
  });
  const chats = createClient(chatsRoutes, session);
  const { id: chat_id } = await chats.createChat({ body: { task_id: taskId } });
  await chats.sendChatMessage({ body: { chat_id, content: 'Hello', model: 'm' } });

  const sentRows = async () =>
    (await gateway.pool.query("SELECT FROM request_logs WHERE status = 'success'")).rowCount;
  await expect.poll(sentRows).toBeGreaterThanOrEqual(16);
  await expect
    .poll(async () => (await readCounts()).filter(({ counted, rows }) => counted !== rows))
    .toEqual([]);
  const counts = await readCounts();
  expect(counts.map(({ subject }) => subject)).toHaveLength(7);
  expect(counts.filter(({ counted }) => counted === 0)).toEqual([]);
});
