import { promptVerbs, randomWordInClickhouse } from '../../../server/demo/vocabulary.ts';
import { textIndex } from '../../../server/src/request-log/clickhouse/log-tables.ts';

export interface GeneratedDay {
  readonly rows: number;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly taskShare: number;
  readonly hasTexts: boolean;
}

export const senderTables = [
  `CREATE TABLE bench_people (place Int32, tenant_id Int32, user_id Int32, api_key_id Int32, task_id Nullable(Int32),
     api_task_id Int32, team_id Nullable(Int32)) ENGINE = MergeTree ORDER BY place`,
  `CREATE TABLE bench_models (place Int32, tenant_id Int32, llm_provider_id Int32, provider_key String, instance_name String,
     is_service_managed Bool, name String, input_nano_usd Int64, output_nano_usd Int64) ENGINE = MergeTree ORDER BY place`,
];

const columns = `id, tenant_id, user_id, api_key_id, task_id, team_id, llm_provider_id, provider_key, provider_instance_name,
  protocol, operation, model_requested, model, status, http_status, error_code, error_message, is_stream, attempts,
  received_at, first_byte_ms, response_time_ms, prompt_tokens, cache_read_tokens, completion_tokens, usage_source,
  cost_nano_usd, is_service_managed, intent_classification, confidence_score, user_score_before, user_score_after,
  deviation_score_delta, prompt, response, request_body, request_bytes, response_bytes, prompt_privacy`;

/**
 * Returns the statement that inserts one day. The distributions are those of `insertRows` and `insertBodies` in
 * PostgreSQL, with fixed shares for the rejections of `refuseRows`.
 */
export function insertDay(day: GeneratedDay, people: number, models: number): string {
  // Creates one part per day, as if all merges had completed.
  return `INSERT INTO request_logs (${columns})
    WITH ${randomWordInClickhouse},
      ((step, place) -> word(bitAnd(cityHash64(noise, step, place), 16777215) / 16777216)) AS drawn_word
    SELECT id, tenant_id, user_id, api_key_id, if(for_task < ${day.taskShare}, task_id, api_task_id), team_id, llm_provider_id, provider_key,
      instance_name, 'openai-chat', 'chat.completions', named, named, status, http_status, error_code, error_message, is_stream,
      status <> 'refused', fromUnixTimestamp64Milli(toInt64(ms), 'UTC'), if(status = 'refused', NULL, response_ms / 4), response_ms,
      if(has_usage, input + cached, 0), if(has_usage, cached, 0), if(has_usage, output, 0), if(has_usage, 'provider', 'none'),
      if(has_usage, input * input_nano_usd + intDiv(cached * input_nano_usd, 10) + output * output_nano_usd, NULL), is_service_managed,
      ['coding', 'testing', 'documentation', 'research', 'off_topic'][1 + toUInt8(pow(intent, 1.6) * 5)], 0.5 + intent_noise / 2,
      score - moved, score, moved, ${textColumns(day.hasTexts)}
    FROM (${drawOutcomes(drawSenders(day, people, models))})
    SETTINGS exclude_materialize_skip_indexes_on_insert = '${textIndex}', max_insert_threads = 1, min_insert_block_size_rows = 3000000, min_insert_block_size_bytes = 0, max_block_size = 65536`;
}

/**
 * Size of a random body in bytes, since a compressed body cannot be compressed further. 90 bytes are typical, since
 * the body refers to the prompt.
 */
const bodyBytes = 90;

function textColumns(hasTexts: boolean): string {
  if (!hasTexts) return 'NULL, NULL, NULL, NULL, NULL, NULL';
  const joined = (item: string) => `arrayStringConcat(arrayMap(step -> ${item}, range(1, 10)), ' ')`;
  const verbs = `[${promptVerbs.map((verb) => `'${verb}'`).join()}]`;
  const sentence =
    "concat('The ', drawn_word(step, 1), ' needs a ', drawn_word(step, 2), ' before its ', drawn_word(step, 3), '.')";
  return `concat(${verbs}[1 + bitAnd(noise, 7)], ' the ', ${joined('drawn_word(step, 0)')}, ' of project ', lower(hex(ms))) AS written,
    if(has_usage, ${joined(sentence)}, NULL) AS answered, base64Encode(randomFixedString(${bodyBytes})), length(written) + 45,
    length(coalesce(answered, '')), 'full'`;
}

function drawSenders({ rows, fromMs, untilMs }: GeneratedDay, people: number, models: number): string {
  const uniform = [1, 2, 3].map((place) => `randCanonical(${place})`).join(' + ');
  return `SELECT ${fromMs} + toUInt64(${untilMs - fromMs} * (${uniform}) / 3) AS ms, rand64(4) AS noise, rand64(5) AS more_noise,
      toInt32(floor(pow(randCanonical(6), 1.7) * ${people})) AS person_place,
      toInt32(floor(pow(randCanonical(7), 2) * ${models})) AS model_place, randCanonical(8) AS for_task,
      randCanonical(9) < 0.6 AS is_stream, randCanonical(10) AS intent, randCanonical(11) AS intent_noise,
      randCanonical(12) AS kind, randCanonical(13) AS speed, randCanonical(14) AS size, randCanonical(15) AS refusal
    FROM numbers(${rows})`;
}

const drawOutcomes = (senders: string): string => `
  SELECT *, NOT is_refused AND kind < 0.96 AS has_usage,
    CASE WHEN is_refused THEN 'refused' WHEN kind < 0.96 THEN 'success' WHEN kind < 0.99 THEN 'error' ELSE 'client_closed' END AS status,
    CASE WHEN is_blocked THEN 403 WHEN is_refused THEN 429 WHEN kind < 0.96 THEN 200 WHEN kind < 0.975 THEN 502 WHEN kind < 0.99 THEN 504
      ELSE 499 END AS http_status,
    CASE WHEN is_blocked THEN 'model_blacklisted' WHEN is_refused THEN 'tokens_per_day_exceeded' WHEN kind < 0.96 THEN NULL
      WHEN kind < 0.975 THEN 'upstream_error' WHEN kind < 0.99 THEN 'upstream_timeout' ELSE 'client_closed' END AS error_code,
    CASE WHEN is_blocked THEN 'The model ''gpt-4-turbo'' is blacklisted: Cost management. Ask your administrator.'
      WHEN is_refused THEN 'Your daily token quota is 100,000, of which 0 are left.' WHEN kind < 0.96 THEN NULL
      WHEN kind < 0.975 THEN concat('The provider answered with status ', toString(500 + toUInt16(intent * 4)))
      WHEN kind < 0.99 THEN 'The provider did not answer in time.' ELSE NULL END AS error_message,
    if(is_blocked, 'gpt-4-turbo', name) AS named, if(is_refused, 1, round(200 + 9000 * pow(speed, 3))) AS response_ms,
    40 + toInt32(3000 * pow(size, 3)) AS input, if(intent_noise < 0.3, 1024, 0) AS cached, 20 + toInt32(900 * pow(speed, 2)) AS output,
    (intent - 0.4) / 25 AS moved,
    greatest(0.05, pow(person_place * 37 % 100 / 100, 3) * 0.85 + 0.05 * sin(ms / 4.5e8 + person_place)) + intent_noise / 20 AS score
  FROM (
    SELECT senders.*, people.tenant_id AS tenant_id, people.user_id AS user_id,
      people.api_key_id AS api_key_id, people.task_id AS task_id, people.api_task_id AS api_task_id, people.team_id AS team_id,
      models.* EXCEPT (place, tenant_id), provider_key = 'openai' AND refusal < 0.02 AS is_blocked, is_blocked OR refusal > 0.99 AS is_refused,
      bitOr(bitOr(bitShiftLeft(toUInt128(ms), 80), bitShiftLeft(toUInt128(bitOr(28672, bitAnd(more_noise, 4095))), 64)),
        toUInt128(bitOr(bitShiftLeft(toUInt64(1), 63), bitShiftRight(noise, 2)))) AS id
    FROM (${senders}) AS senders
      JOIN bench_people AS people ON people.place = senders.person_place
      JOIN bench_models AS models ON models.place = senders.model_place AND models.tenant_id = people.tenant_id
  )`;

/**
 * Returns the query for a day's usage in the format of PostgreSQL's `usage_rollups`, per quarter of an hour or as one
 * sum.
 */
export const selectUsage = (hasQuarters: boolean): string => `
  SELECT tenant_id, formatDateTime(${hasQuarters ? 'toStartOfFifteenMinutes(received_at)' : 'toStartOfDay(received_at)'}, '%FT%TZ') AS bucket_start,
    0 AS node_slot, user_id, api_key_id, team_id, task_id, llm_provider_id, provider_key, model, intent_classification AS intent,
    countIf(status <> 'refused') AS requests, countIf(status = 'error') AS errors, sumIf(repeats, status = 'refused') AS refusals,
    sum(prompt_tokens - logs.cache_read_tokens - logs.cache_write_tokens) AS input_tokens, sum(logs.cache_read_tokens) AS cache_read_tokens,
    sum(logs.cache_write_tokens) AS cache_write_tokens, sum(completion_tokens) AS output_tokens, sum(logs.reasoning_tokens) AS reasoning_tokens,
    toInt64(sumIf(logs.response_time_ms, status <> 'refused')) AS response_time_ms, sum(coalesce(logs.cost_nano_usd, 0)) AS cost_nano_usd,
    sumIf(coalesce(logs.cost_nano_usd, 0), NOT is_service_managed) AS user_llm_nano_usd,
    sumIf(coalesce(logs.cost_nano_usd, 0), is_service_managed) AS company_llm_nano_usd,
    if(requests > 0, formatDateTime(maxIf(received_at, status <> 'refused'), '%FT%TZ'), NULL) AS last_received_at,
    requests AS scored_requests, sumIf(coalesce(user_score_after, 0), status <> 'refused') AS score_sum
  FROM request_logs AS logs WHERE id >= {from:UInt128} AND id < {until:UInt128}
  GROUP BY tenant_id, bucket_start, user_id, api_key_id, team_id, task_id, llm_provider_id, provider_key, model, intent`;
