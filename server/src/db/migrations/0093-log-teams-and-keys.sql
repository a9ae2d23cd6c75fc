-- As before, with filters by several teams, by API key and by any of several keys.
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
  WHERE tenant_id = tenant AND (name ILIKE text_pattern OR email ILIKE text_pattern);
  SELECT array_agg(id) INTO people FROM users
  WHERE tenant_id = tenant AND (name ILIKE filters->>'user_like' OR email ILIKE filters->>'user_like');
  SELECT array_agg(id) INTO tasks_found FROM tasks WHERE tenant_id = tenant AND title ILIKE filters->>'task_like';
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
