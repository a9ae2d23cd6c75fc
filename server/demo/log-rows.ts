import { vocabulary } from './prompts.ts';
import { randomWordInPostgres } from './vocabulary.ts';

/**
 * Inserts $1 rows of one day into `demo_day`, with times from $2 to before $3 in milliseconds. There are more
 * requests by day than by night, and a few users and models dominate. The share $4 has a task, the rest is API
 * access. Rejected requests have no usage. The cost of a row follows from the price of its model.
 */
export const insertRows = `
  INSERT INTO demo_day (id, tenant_id, user_id, api_key_id, task_id, team_id, llm_provider_id, provider_key,
    provider_instance_name, protocol, operation, model_requested, model, status, http_status, error_code, error_message,
    is_stream, attempts, received_at, first_byte_ms, response_time_ms, prompt_tokens, cache_read_tokens,
    completion_tokens, usage_source, cost_nano_usd, is_service_managed)
  SELECT (lpad(to_hex(ms), 12, '0') || '7' || left(noise, 3) || '8' || right(noise, 15))::uuid,
    person.tenant_id, person.user_id, person.api_key_id, CASE WHEN for_task < $4::float8 THEN person.task_id ELSE person.api_task_id END,
    person.team_id, model.llm_provider_id, model.provider_key, model.instance_name, 'openai-chat', 'chat.completions', model.name, model.name,
    status, http_status, error_code, error_message, is_stream, (status <> 'refused')::int,
    to_timestamp(ms / 1000.0), CASE WHEN status <> 'error' THEN response_ms / 4 END, response_ms,
    CASE WHEN has_usage THEN input + cached ELSE 0 END, CASE WHEN has_usage THEN cached ELSE 0 END,
    CASE WHEN has_usage THEN output ELSE 0 END, CASE WHEN has_usage THEN 'provider' ELSE 'none' END,
    CASE WHEN has_usage THEN input * model.input_nano_usd + cached * model.input_nano_usd / 10 + output * model.output_nano_usd END,
    model.is_service_managed
  FROM (
    SELECT ms, noise, person_place, model_place, is_stream, for_task, kind < 0.96 AS has_usage,
      CASE WHEN kind < 0.96 THEN 'success' WHEN kind < 0.99 THEN 'error' ELSE 'client_closed' END AS status,
      CASE WHEN kind < 0.96 THEN 200 WHEN kind < 0.975 THEN 502 WHEN kind < 0.99 THEN 504 ELSE 499 END AS http_status,
      CASE WHEN kind < 0.96 THEN NULL WHEN kind < 0.975 THEN 'upstream_error' WHEN kind < 0.99 THEN 'upstream_timeout' ELSE 'client_closed' END AS error_code,
      CASE WHEN kind < 0.96 THEN NULL
        WHEN kind < 0.975 THEN 'The provider answered with status ' || 500 + floor(size * 4)::int
        WHEN kind < 0.99 THEN 'The provider did not answer in time.' END AS error_message,
      (CASE WHEN kind >= 0.975 AND kind < 0.99 THEN 60000 ELSE 0 END + round(200 + 9000 * power(speed, 3)))::real AS response_ms,
      40 + floor(3000 * power(size, 3))::int AS input, CASE WHEN cache_draw < 0.3 THEN 1024 ELSE 0 END AS cached,
      20 + floor(900 * power(speed, 2))::int AS output
    FROM (
      SELECT ($2::bigint + floor(($3::bigint - $2::bigint) * (random() + random() + random()) / 3))::bigint AS ms,
        md5(random()::text || n) AS noise, floor(power(random(), 1.7) * (SELECT count(*) FROM demo_people))::int AS person_place,
        floor(power(random(), 2) * (SELECT count(DISTINCT place) FROM demo_models))::int AS model_place,
        random() AS for_task, random() < 0.6 AS is_stream, random() AS cache_draw, random() AS kind,
        random() AS speed, random() AS size
      FROM generate_series(1, $1::int) n
    ) drawn
  ) made
    JOIN demo_people person ON person.place = made.person_place
    JOIN demo_models model ON model.place = made.model_place AND model.tenant_id = person.tenant_id`;

export const insertRollups = (table: string): string => `
  INSERT INTO usage_rollups (tenant_id, bucket_start, node_slot, user_id, api_key_id, team_id, task_id, llm_provider_id,
    provider_key, model, intent, requests, errors, refusals, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, reasoning_tokens, response_time_ms, cost_nano_usd, user_llm_nano_usd, company_llm_nano_usd,
    last_received_at, scored_requests, score_sum)
  SELECT tenant_id, date_bin('15 minutes', received_at, 'epoch'), 0, user_id, api_key_id, team_id, task_id,
    llm_provider_id, provider_key, model, intent_classification,
    count(*) FILTER (WHERE status <> 'refused'), count(*) FILTER (WHERE status = 'error'),
    COALESCE(sum(repeats) FILTER (WHERE status = 'refused'), 0),
    sum(prompt_tokens - cache_read_tokens - cache_write_tokens), sum(cache_read_tokens), sum(cache_write_tokens),
    sum(completion_tokens), sum(reasoning_tokens),
    COALESCE(sum(round(response_time_ms::numeric)) FILTER (WHERE status <> 'refused'), 0),
    COALESCE(sum(cost_nano_usd), 0), COALESCE(sum(cost_nano_usd) FILTER (WHERE NOT is_service_managed), 0),
    COALESCE(sum(cost_nano_usd) FILTER (WHERE is_service_managed), 0),
    max(received_at) FILTER (WHERE status <> 'refused'), count(*) FILTER (WHERE status <> 'refused'),
    COALESCE(sum(user_score_after) FILTER (WHERE status <> 'refused'), 0)
  FROM ${table} WHERE id >= $1::uuid AND id < $2::uuid
  GROUP BY 1, 2, user_id, api_key_id, team_id, task_id, llm_provider_id, provider_key, model, intent_classification`;

/** Returns an SQL expression for a pseudorandom number in [0, 1), derived from id, step and place. */
const uniform = (place: number) =>
  `((uuid_hash_extended(id, step * 8 + ${place}) & 16777215) / 16777216.0::float8)`;
const rareWords = [1, 2, 3].map((place) => randomWordInPostgres(uniform(place)));
const usualWords = ['place / (step + 3) + step * 11', 'place + step * 17', 'place / 7 + step * 5'].map(
  (place) => `(ARRAY['${vocabulary.join("','")}'])[1 + (${place}) % ${vocabulary.length}]`,
);

/** The texts consist of typical words, or of many rare words. */
export function insertBodies(bodies: string, hasRareWords: boolean): string {
  const [first, second, third] = hasRareWords ? rareWords : usualWords;
  return `
  INSERT INTO ${bodies} (id, tenant_id, prompt, response, request_body, request_bytes, response_bytes)
  SELECT id, tenant_id, prompt, response, request_body, length(request_body), COALESCE(length(response), 0)
  FROM (
    SELECT id, tenant_id, prompt, CASE WHEN usage_source = 'provider' THEN response END AS response,
      '{"messages":[{"role":"user","content":' || to_json(prompt) || '}]}' AS request_body
    FROM demo_day JOIN demo_texts USING (id) CROSS JOIN LATERAL (
      SELECT string_agg('The ' || ${first} || ' needs a ' || ${second} || ' before its ' || ${third} || '.', ' ' ORDER BY step) AS response
      FROM generate_series(1, 9) step, (SELECT ('x' || right(id::text, 6))::bit(24)::int AS place) drawn
    ) texts
  ) made`;
}
