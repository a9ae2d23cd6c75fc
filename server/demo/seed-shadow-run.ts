import type pg from 'pg';
import { blacklistedModel } from './seed-people.ts';

/**
 * Adds a shadow run of the newest 200 requests with a cost, as if they had come from LiteLLM, to each tenant without
 * a run. One request in twelve is rejected by Sluice, and some requests differ in model or cost.
 */
export async function seedShadowRun(client: pg.ClientBase, nowMs: number): Promise<void> {
  const { rows } = await client.query<{ id: number }>(insertRuns, [new Date(nowMs).toISOString()]);
  const ids = rows.map(({ id }) => id);
  await client.query(insertRequests, [ids, blacklistedModel]);
  await client.query(
    `UPDATE shadow_runs SET ended_at = started_at + interval '9 seconds' WHERE id = ANY ($1)`,
    [ids],
  );
}

const insertRuns = `INSERT INTO shadow_runs (tenant_id, name, source, compared_with, started_at)
  SELECT id, 'LiteLLM, newest 200 requests', 'log', 'https://litellm.example', $1::timestamptz - interval '2 hours' FROM tenants
  WHERE EXISTS (SELECT FROM usage_rollups used WHERE used.tenant_id = tenants.id)
    AND NOT EXISTS (SELECT FROM shadow_runs WHERE shadow_runs.tenant_id = tenants.id)
  RETURNING id`;

const insertRequests = `INSERT INTO shadow_requests (tenant_id, run_id, position, requested_at, user_id, path, model_requested, error_code, message,
    llm_provider_id, model, intent, score_after, input_tokens, output_tokens, cost_nano_usd, other_outcome, other_request_id, other_model,
    other_cost_nano_usd, difference)
  SELECT tenant_id, run_id, position, received_at, CASE WHEN code IS DISTINCT FROM 'invalid_api_key' THEN user_id END, '/v1/chat/completions', CASE WHEN code = 'model_blacklisted' THEN $2 ELSE model END, code,
    CASE code WHEN 'invalid_api_key' THEN 'The API key is invalid' WHEN 'model_blacklisted' THEN 'The model is on the blacklist' END,
    CASE WHEN code IS NULL THEN llm_provider_id END, CASE WHEN code IS NULL THEN model END, CASE WHEN code IS NULL THEN intent END,
    NULL, prompt_tokens, completion_tokens, CASE WHEN code IS NULL THEN cost END,
    CASE WHEN difference = 'not_compared' THEN NULL WHEN difference = 'refused_there' THEN 'refused' ELSE 'served' END,
    CASE WHEN difference <> 'not_compared' THEN 'chatcmpl-' || left(md5(id::text), 12) END,
    CASE WHEN difference NOT IN ('not_compared', 'refused_there') THEN CASE WHEN code = 'model_blacklisted' THEN $2 WHEN difference <> 'other_model' THEN model WHEN model = 'gpt-4o-mini' THEN 'gpt-4o' ELSE 'gpt-4o-mini' END END,
    CASE WHEN difference NOT IN ('not_compared', 'refused_there') THEN round(CASE WHEN code = 'model_blacklisted' THEN prompt_tokens * 10000 + completion_tokens * 30000 ELSE cost END * CASE difference WHEN 'other_model' THEN CASE WHEN model = 'gpt-4o-mini' THEN 16.7 ELSE 0.06 END WHEN 'other_cost' THEN 1.31 ELSE 1 END)::bigint END,
    difference
  FROM (
    SELECT *, CASE WHEN code IS NOT NULL THEN 'refused_here' WHEN position % 40 = 7 THEN 'refused_there' WHEN position % 25 = 3 THEN 'not_compared'
      WHEN position % 20 = 9 THEN 'other_model' WHEN position % 6 = 4 THEN 'other_cost' ELSE 'none' END AS difference
    FROM (
      SELECT *, CASE WHEN position % 24 = 0 THEN 'model_blacklisted' WHEN position % 24 = 12 THEN 'invalid_api_key' END AS code
      FROM (
        SELECT newest.*, r.id AS run_id, row_number() OVER (PARTITION BY r.id ORDER BY newest.received_at, newest.id)::integer AS position
        FROM shadow_runs r CROSS JOIN LATERAL (
          SELECT id, tenant_id, received_at, user_id, model, llm_provider_id, intent_classification AS intent, prompt_tokens, completion_tokens, cost_nano_usd AS cost
          FROM request_logs l WHERE l.tenant_id = r.tenant_id AND l.cost_nano_usd > 0 AND l.received_at < r.started_at ORDER BY l.received_at DESC, l.id DESC LIMIT 200
        ) newest WHERE r.id = ANY ($1)
      ) numbered
    ) judged
  ) compared`;
