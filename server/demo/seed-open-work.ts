import type pg from 'pg';
import { findPrice } from '#domain/price/catalogue.ts';
import { costOf } from '#domain/price/cost.ts';
import { type InvitationLinks, seedInvitations } from './seed-invitations.ts';

/**
 * Adds work for the administrators of each tenant with requests: a budget that is nearly used up and a request to raise
 * it, two invitations with `links`, a blocked user who appeals, and a comparison of two sandbox models. Tenants with
 * invitations are not changed.
 */
export async function seedOpenWork(
  client: pg.Client | pg.PoolClient,
  nowMs: number,
  links: InvitationLinks | undefined,
): Promise<void> {
  await client.query('DROP TABLE IF EXISTS demo_helped');
  await client.query(collectHelped, [new Date(nowMs).toISOString()]);
  for (const statement of [insertBudget, settleBudget, requestRaise, blockAndAppeal])
    await client.query(statement);
  await client.query(compareModels, [JSON.stringify(comparedAnswers.map(withCost))]);
  if (links) await seedInvitations(client, nowMs, links);
}

/** `eager` is the user with the second highest cost of the month. */
const collectHelped = `CREATE TEMP TABLE demo_helped AS
  WITH ranked AS (
    SELECT users.tenant_id, users.id, deviation_score AS score, seen.last, used.cost, used.requests,
      row_number() OVER (PARTITION BY users.tenant_id ORDER BY used.cost DESC NULLS LAST, users.id) AS place
    FROM users JOIN LATERAL (SELECT received_at AS last FROM request_logs l
        WHERE l.tenant_id = users.tenant_id AND l.user_id = users.id ORDER BY id DESC LIMIT 1) seen ON true
      LEFT JOIN LATERAL (SELECT sum(cost_nano_usd) AS cost, sum(requests) AS requests FROM usage_rollups
        WHERE user_id = users.id AND bucket_start >= date_trunc('month', $1::timestamptz, 'UTC')) used ON true
    WHERE users.role_id = 3 AND users.email LIKE '%.example'
  )
  SELECT tenants.id AS tenant_id, slug, $1::timestamptz AS now, admin.id AS admin_id, admin.name AS admin_name,
    eager.id AS eager_id, eager.cost AS eager_cost, eager.requests AS eager_requests, eager.last AS eager_last,
    blocked.id AS blocked_id, blocked.score AS blocked_score, blocked.last AS blocked_last
  FROM tenants
    JOIN LATERAL (SELECT id, name FROM users WHERE users.tenant_id = tenants.id AND role_id < 3 ORDER BY id LIMIT 1) admin ON true
    JOIN ranked eager ON eager.tenant_id = tenants.id AND eager.place = 2
    JOIN LATERAL (SELECT id, score, last FROM ranked WHERE ranked.tenant_id = tenants.id AND place > 2 ORDER BY score DESC LIMIT 1) blocked ON true
  WHERE NOT EXISTS (SELECT FROM invitations WHERE invitations.tenant_id = tenants.id)`;

/**
 * The limit is rounded up to a cent, so that the usage does not exceed it. A budget that is older than the month counts
 * all usage of the month.
 */
const insertBudget = `INSERT INTO budgets (tenant_id, user_id, measure, period, limit_amount, action, created_at)
  SELECT tenant_id, eager_id, 'usd', 'month', (floor(coalesce(eager_cost, 0) / 0.96 / 10000000) + 1) * 10000000, 'refuse',
    date_trunc('month', now, 'UTC') - interval '1 day' FROM demo_helped
  WHERE NOT EXISTS (SELECT FROM budgets WHERE user_id = eager_id AND measure = 'usd' AND period = 'month' AND NOT is_default)`;

const ownBudget = `JOIN budgets b ON b.user_id = eager_id AND b.measure = 'usd' AND b.period = 'month' AND NOT b.is_default`;

const settleBudget = `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled, requests, last_used_at)
  SELECT b.tenant_id, kind_of_budget(b.measure), b.id, date_trunc('month', now, 'UTC'), limit_of_budget(b), eager_cost, eager_requests, eager_last
  FROM demo_helped ${ownBudget} WHERE eager_requests > 0
  ON CONFLICT DO NOTHING`;

const requestRaise = `INSERT INTO budget_raise_requests (tenant_id, budget_id, user_id, limit_amount, until, reason, created_at)
  SELECT b.tenant_id, b.id, eager_id, b.limit_amount * 2, now + interval '7 days',
    'The importer is nearly done. I need the larger model for one more week.', greatest(eager_last, now - interval '3 hours')
  FROM demo_helped ${ownBudget}`;

/** The times are between the user's last request and now. */
const blockAndAppeal = `WITH blocked AS (
    UPDATE users SET is_blocked = true, blocked_reason = 'Repeated off-topic requests', blocked_by = admin_id,
      blocked_at = blocked_last + (now - blocked_last) / 3
    FROM demo_helped WHERE users.id = blocked_id
  ), event AS (
    INSERT INTO score_events (tenant_id, user_id, kind, actor_id, score_before, score_after, reason, created_at)
    SELECT tenant_id, blocked_id, 'block', admin_id, blocked_score, blocked_score, 'Repeated off-topic requests',
      blocked_last + (now - blocked_last) / 3 FROM demo_helped
    RETURNING id, tenant_id, user_id
  )
  INSERT INTO appeals (tenant_id, user_id, score_event_id, message, created_at)
  SELECT event.tenant_id, user_id, event.id, 'I tried the assistant with private questions and did not know that they count. It will not happen again.',
    blocked_last + (now - blocked_last) / 2
  FROM event JOIN demo_helped ON blocked_id = user_id`;

const comparedPrompt = 'Explain in one sentence why a shared service needs rate limits.';
const promptTokens = 12;
const comparedAnswers = [
  {
    position: 1,
    model: 'sandbox-normal',
    text: 'Every valley remembers one green crane slowly. A garden keeps its wooden garden carefully.',
    duration: 271,
    outputTokens: 26,
  },
  { position: 2, model: 'sandbox-echo', text: comparedPrompt, duration: 280, outputTokens: 12 },
];

function withCost({ outputTokens, ...answer }: (typeof comparedAnswers)[number]) {
  const price = findPrice('sandbox', answer.model);
  if (!price) throw new Error('the sandbox has no price');
  const none = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const cost = costOf({ ...none, inputTokens: promptTokens, outputTokens }, price, 0);
  return { ...answer, tokens: promptTokens + outputTokens, cost: Number(cost) };
}

/**
 * Compares sandbox models, which respond in the demo, so that the form suggests them for the next comparison. Its id
 * begins with its time, by which comparisons are listed.
 */
const compareModels = `WITH compared AS (
    SELECT demo_helped.tenant_id, admin_id, registry.id AS registry_id, registry.display_name, now - interval '2 days' AS sent_at
    FROM demo_helped JOIN llm_providers instance ON instance.tenant_id = demo_helped.tenant_id
      JOIN provider_registry registry ON registry.id = instance.provider_registry_id AND registry.provider_key = 'sandbox'
  ), comparison AS (
    INSERT INTO llm_comparisons (id, tenant_id, user_id, prompt, created_at)
    SELECT (left(uuid_floor(sent_at)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, tenant_id, admin_id, '${comparedPrompt}', sent_at FROM compared
    RETURNING id, tenant_id
  )
  INSERT INTO llm_comparison_results (id, tenant_id, comparison_id, position, provider_registry_id, provider_name, model_name, status,
    response_text, response_time_ms, total_tokens, cost_nano_usd, created_at)
  SELECT gen_random_uuid(), tenant_id, comparison.id, position, registry_id, display_name, answer.model, 'completed', text, duration, tokens, cost, sent_at
  FROM compared JOIN comparison USING (tenant_id),
    json_to_recordset($1) answer (position integer, model text, text text, duration integer, tokens integer, cost bigint)`;
