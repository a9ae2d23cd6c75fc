-- Names are compared and texts are searched in one form, the same as `foldName` and `foldText` of the contract
-- (contract/src/fold-text.ts; a test compares both). The letter case follows Unicode, whatever the locale of the database.
DO $do$
DECLARE
  unicode CONSTANT text := (
    SELECT quote_ident(collname) FROM pg_collation
    WHERE collnamespace = 'pg_catalog'::regnamespace AND collname IN ('pg_c_utf8', 'und-x-icu', 'default')
    ORDER BY array_position(ARRAY['pg_c_utf8', 'und-x-icu', 'default'], collname::text) LIMIT 1);
  ignorable CONSTANT text := '[\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+';
  marks CONSTANT text := '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+';
BEGIN
  EXECUTE format($f$
    CREATE FUNCTION search_key_of_part(content text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT normalize(translate(replace(replace(replace(replace(
        lower(regexp_replace(regexp_replace(normalize(content, NFKD), %1$L, '', 'g'), %2$L, '', 'g') COLLATE %3$s) COLLATE "default",
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðħıς', 'olddhiσ'), NFC)
    $$
  $f$, ignorable, marks, unicode);
  EXECUTE format($f$
    CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT trim(regexp_replace(translate(
        lower(translate(normalize(regexp_replace(name, %1$L, '', 'g'), NFKC), 'İ', 'I') COLLATE %2$s) COLLATE "default",
        'ς', 'σ'), '\s+', ' ', 'g'))
    $$
  $f$, ignorable, unicode);
END $do$;

-- Sorting many accents of one letter takes quadratic time, which no timeout ends, so long texts are folded in parts.
CREATE FUNCTION search_key_of_parts(content text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(search_key_of_part(substr(content, start, 1000)), '' ORDER BY start)
  FROM generate_series(1, length(content), 1000) start
$$;
CREATE FUNCTION search_key(content text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(content) = length(content) THEN lower(content COLLATE "C") COLLATE "default"
    WHEN length(content) <= 1000 THEN search_key_of_part(content)
    ELSE search_key_of_parts(content) END
$$;

DROP INDEX teams_name;
DROP INDEX llm_providers_name;

-- Of names that are now the same, the oldest stays as it is. A new name may be taken as well, so each round has another.
DO $$
DECLARE
  round integer := 1;
  suffix text := ')';
  is_renamed boolean := true;
BEGIN
  WHILE is_renamed LOOP
    UPDATE teams SET name = left(teams.name, 80) || ' (' || teams.id || suffix
    FROM (SELECT id, row_number() OVER (PARTITION BY tenant_id, name_key(name) ORDER BY id) AS place FROM teams) same
    WHERE same.id = teams.id AND same.place > 1;
    is_renamed := FOUND;
    UPDATE llm_providers SET provider_instance_name = left(provider_instance_name, 80) || ' (' || llm_providers.id || suffix
    FROM (SELECT id, row_number() OVER (PARTITION BY tenant_id, name_key(provider_instance_name) ORDER BY id) AS place FROM llm_providers) same
    WHERE same.id = llm_providers.id AND same.place > 1;
    is_renamed := is_renamed OR FOUND;
    round := round + 1;
    suffix := '-' || round || ')';
  END LOOP;
END $$;
CREATE UNIQUE INDEX teams_name ON teams (tenant_id, name_key(name));
CREATE UNIQUE INDEX llm_providers_name ON llm_providers (tenant_id, name_key(provider_instance_name));

-- The public URL that a mail's link starts with, which another one may replace until the mail is sent.
ALTER TABLE mails ADD COLUMN link_origin text;

-- As before, with users and tasks found by `search_key`.
CREATE OR REPLACE FUNCTION find_request_logs(filters jsonb, most bigint) RETURNS SETOF uuid
-- Compiling a plan takes longer than running it.
LANGUAGE plpgsql STABLE ROWS 100 SECURITY DEFINER SET search_path = public, pg_temp SET jit = off AS $$
DECLARE
  tenant CONSTANT integer := current_tenant();
  text_pattern CONSTANT text := filters->>'search_like';
  ngrams CONSTANT integer[] := text_ngrams(text_pattern);
  id_end CONSTANT text := lower(filters->>'id_end');
  -- The people whom the words mean, those whom the filter means, and the filter's tasks.
  people_found integer[];
  people integer[];
  tasks_found integer[];
  is_search CONSTANT boolean := text_pattern IS NOT NULL;
  -- What a row of `request_logs` must be, but for the words.
  conditions text := '';
  is_filtered boolean;
  rows CONSTANT text := 'SELECT id FROM request_logs WHERE tenant_id = $1 AND id >= $2 AND id < $3';
  statement text;
  text_source CONSTANT text := 'request_log_bodies text';
  -- Each text of the blocks that have all the letters. A block ends where its day ends.
  block_source CONSTANT text := $query$request_log_text_blocks block CROSS JOIN LATERAL (
    SELECT * FROM request_log_bodies body
    WHERE block.tenant_id = $1 AND block.ngrams @> $11 AND block.id < $3 AND block.last_id >= $2
      AND block.id >= uuid_floor(date_trunc('day', uuid_instant($2), 'UTC'))
      AND body.id = ANY (block.row_ids) AND body.id >= block.id AND body.id <= block.last_id
  ) text$query$;
  high uuid := LEAST((filters->>'end')::uuid, (filters->>'before')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  low uuid;
  bottom CONSTANT uuid := COALESCE((filters->>'first')::uuid, '00000000-0000-0000-0000-000000000000');
  -- Of the window, its last day included; none yet, since the first one is counted in rows.
  days integer := 0;
  days_max CONSTANT integer := 64;
  -- Down to here the window is in days that go on; there it is counted in hours, for each of which reading blocks is cheap.
  blocks_bottom uuid;
  hours integer := 1;
  found bigint := 0;
  added bigint;
BEGIN
  SELECT array_agg(id) INTO people_found FROM users
  WHERE tenant_id = tenant AND (search_key(name) LIKE search_key(text_pattern) OR search_key(email) LIKE search_key(text_pattern));
  SELECT array_agg(id) INTO people FROM users
  WHERE tenant_id = tenant AND (search_key(name) LIKE search_key(filters->>'user_like') OR search_key(email) LIKE search_key(filters->>'user_like'));
  SELECT array_agg(id) INTO tasks_found FROM tasks WHERE tenant_id = tenant AND search_key(title) LIKE search_key(filters->>'task_like');
  SELECT COALESCE(string_agg(' AND ' || condition, '' ORDER BY name), ''), count(*) > 0 INTO conditions, is_filtered
  FROM (VALUES
    ('user_id', $c$user_id = ($4->>'user_id')::integer$c$),
    ('user_like', 'user_id = ANY ($5)'),
    ('task_id', $c$task_id = ($4->>'task_id')::integer$c$),
    ('task_like', 'task_id = ANY ($6)'),
    ('team_id', $c$team_id = ($4->>'team_id')::integer$c$),
    ('team_ids', $c$team_id = ANY (ARRAY(SELECT value::integer FROM jsonb_array_elements_text($4->'team_ids')))$c$),
    ('api_key_id', $c$api_key_id = ($4->>'api_key_id')::integer$c$),
    ('api_key_ids', $c$api_key_id = ANY (ARRAY(SELECT value::integer FROM jsonb_array_elements_text($4->'api_key_ids')))$c$),
    ('by_api_key', $c$(api_key_id IS NOT NULL) = ($4->>'by_api_key')::boolean$c$),
    ('is_admitted', $c$status <> 'refused'$c$),
    ('is_unclassified', 'intent_classification IS NULL'),
    ('status', $c$status = $4->>'status'$c$),
    ('error_code', $c$status <> 'success' AND error_code = $4->>'error_code'$c$),
    ('intent', $c$intent_classification = $4->>'intent'$c$),
    ('model', $c$model = $4->>'model'$c$),
    ('model_like', $c$model LIKE $4->>'model_like'$c$),
    ('provider_key', $c$provider_key = $4->>'provider_key'$c$),
    ('cost_above', $c$cost_nano_usd > ($4->>'cost_above')::bigint$c$),
    ('cost_below', $c$cost_nano_usd < ($4->>'cost_below')::bigint$c$),
    ('tokens_above', $c$prompt_tokens + completion_tokens > LEAST(floor(($4->>'tokens_above')::float8), 1e18)::bigint$c$),
    ('tokens_below', $c$prompt_tokens + completion_tokens < LEAST(ceil(($4->>'tokens_below')::float8), 1e18)::bigint$c$),
    ('response_time_above', $c$response_time_ms > ($4->>'response_time_above')::float8$c$),
    ('response_time_below', $c$response_time_ms < ($4->>'response_time_below')::float8$c$)
  ) known (name, condition)
  WHERE filters ? name;
  statement := CASE WHEN is_search
    -- The words are in the texts, or tell why the request failed, who sent it, or how its id ends.
    THEN 'SELECT id FROM (SELECT text.id FROM ' || text_source
      -- Without another filter no row has to be looked at beside its texts.
      || CASE WHEN is_filtered THEN ' JOIN request_logs log ON log.id = text.id AND log.tenant_id = $1 AND log.id >= $2 AND log.id < $3' ELSE '' END
      || ' WHERE text.tenant_id = $1 AND text.id >= $2 AND text.id < $3 AND (prompt ILIKE $8 OR response ILIKE $8)' || conditions
      || ' UNION ALL ' || rows || $c$ AND status <> 'success' AND (error_code ILIKE $8 OR error_message ILIKE $8)$c$ || conditions
      || CASE WHEN people_found IS NOT NULL THEN ' UNION ALL ' || rows || ' AND user_id = ANY ($7)' || conditions ELSE '' END
      || CASE WHEN id_end IS NOT NULL
        THEN ' UNION ALL ' || rows || $c$ AND right(id::text, 8) = right($9, 8) AND id::text LIKE '%' || $9$c$ || conditions ELSE '' END
      || ') hit GROUP BY id ORDER BY id DESC LIMIT $10'
    ELSE rows || conditions || ' ORDER BY id DESC LIMIT $10' END;
  SELECT id INTO low FROM request_logs
  WHERE tenant_id = tenant AND id < high AND id >= bottom ORDER BY id DESC OFFSET 2 * most LIMIT 1;
  low := COALESCE(low, bottom);
  blocks_bottom := GREATEST(bottom, log_texts_indexed_before());
  LOOP
    RETURN QUERY EXECUTE statement
      USING tenant, low, high, filters, people, tasks_found, people_found, text_pattern, id_end, most - found;
    GET DIAGNOSTICS added = ROW_COUNT;
    found := found + added;
    high := low;
    WHILE ngrams <> '{}' AND found < most AND high > blocks_bottom LOOP
      low := GREATEST(blocks_bottom, uuid_floor(GREATEST(uuid_instant(high) - make_interval(hours => hours), 'epoch')));
      RETURN QUERY EXECUTE replace(statement, text_source, block_source)
        USING tenant, low, high, filters, people, tasks_found, people_found, text_pattern, id_end, most - found, ngrams;
      GET DIAGNOSTICS added = ROW_COUNT;
      found := found + added;
      high := low;
      hours := LEAST(hours * 8, 64 * 24);
    END LOOP;
    EXIT WHEN found >= most OR high <= bottom;
    -- As many days as will hold the rest, by what the last window held; eight times as many where it held little.
    days := CASE WHEN days = 0 THEN 1 ELSE LEAST(days * 8, 1 + days * (most - found) / GREATEST(added, 1)) END;
    -- The last window has no beginning.
    low := CASE WHEN days > days_max THEN bottom ELSE GREATEST(bottom,
      uuid_floor(GREATEST(date_trunc('day', LEAST(uuid_instant(high) - interval '1 ms', now()), 'UTC') - make_interval(days => days - 1), 'epoch'))) END;
  END LOOP;
END $$;
