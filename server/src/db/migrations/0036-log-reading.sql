-- For each filter of the log that few rows may pass, so that looking for them does not read all rows.
CREATE INDEX request_logs_provider ON request_logs (tenant_id, provider_key, id DESC);
CREATE INDEX request_logs_intent ON request_logs (tenant_id, intent_classification, id DESC);
CREATE INDEX request_logs_cost ON request_logs (tenant_id, cost_nano_usd);
CREATE INDEX request_logs_tokens ON request_logs (tenant_id, (prompt_tokens + completion_tokens));
CREATE INDEX request_logs_response_time ON request_logs (tenant_id, response_time_ms);

-- As before, but for the statement: it says the filters that are given alone, and is planned in half the time.
CREATE OR REPLACE FUNCTION find_request_logs(filters jsonb, most bigint) RETURNS SETOF uuid
-- Compiling a plan takes longer than running it.
LANGUAGE plpgsql STABLE ROWS 100 SECURITY DEFINER SET search_path = public, pg_temp SET jit = off AS $$
DECLARE
  tenant CONSTANT integer := current_tenant();
  text_pattern CONSTANT text := filters->>'search_like';
  id_end CONSTANT text := lower(filters->>'id_end');
  -- The people whom the words mean, those whom the filter means, and the filter's tasks.
  people_found integer[];
  people integer[];
  tasks_found integer[];
  -- Where words are found. Without another filter these are all, and no row has to be looked at beside them.
  hits CONSTANT text := $query$
    SELECT id FROM request_log_bodies
    WHERE tenant_id = $1 AND id >= $2 AND id < $3 AND (prompt ILIKE $8 OR response ILIKE $8)
    UNION ALL
    SELECT id FROM request_logs
    WHERE status <> 'success' AND tenant_id = $1 AND id >= $2 AND id < $3 AND (error_code ILIKE $8 OR error_message ILIKE $8)
    UNION ALL
    SELECT id FROM request_logs
    WHERE $7 IS NOT NULL AND tenant_id = $1 AND id >= $2 AND id < $3 AND user_id = ANY ($7)
    UNION ALL
    SELECT id FROM request_logs
    WHERE $9 IS NOT NULL AND tenant_id = $1 AND id >= $2 AND id < $3
      AND right(id::text, 8) = right($9, 8) AND id::text LIKE '%' || $9
  $query$;
  is_search_alone CONSTANT boolean := text_pattern IS NOT NULL
    AND filters - ARRAY['search_like', 'id_end', 'first', 'end', 'before'] = '{}';
  statement text;
  high uuid := LEAST((filters->>'end')::uuid, (filters->>'before')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  low uuid;
  bottom CONSTANT uuid := COALESCE((filters->>'first')::uuid, '00000000-0000-0000-0000-000000000000');
  hours integer := 1;
  hours_max CONSTANT integer := 600;
  found bigint := 0;
  added bigint;
BEGIN
  SELECT array_agg(id) INTO people_found FROM users
  WHERE tenant_id = tenant AND (name ILIKE text_pattern OR email ILIKE text_pattern);
  SELECT array_agg(id) INTO people FROM users
  WHERE tenant_id = tenant AND (name ILIKE filters->>'user_like' OR email ILIKE filters->>'user_like');
  SELECT array_agg(id) INTO tasks_found FROM tasks WHERE tenant_id = tenant AND title ILIKE filters->>'task_like';
  IF is_search_alone THEN
    statement := 'SELECT id FROM (' || hits || ') hit GROUP BY id ORDER BY id DESC LIMIT $10';
  ELSE
    SELECT 'SELECT id FROM request_logs WHERE tenant_id = $1 AND id >= $2 AND id < $3'
      || COALESCE(string_agg(' AND ' || condition, '' ORDER BY name), '') || ' ORDER BY id DESC LIMIT $10'
    INTO statement
    FROM (VALUES
      ('user_id', $c$user_id = ($4->>'user_id')::integer$c$),
      ('user_like', 'user_id = ANY ($5)'),
      ('task_id', $c$task_id = ($4->>'task_id')::integer$c$),
      ('task_like', 'task_id = ANY ($6)'),
      ('team_id', $c$team_id = ($4->>'team_id')::integer$c$),
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
      ('response_time_below', $c$response_time_ms < ($4->>'response_time_below')::float8$c$),
      ('search_like', 'id IN (' || hits || ')')
    ) known (name, condition)
    WHERE filters ? name;
  END IF;
  WHILE found < most AND high > bottom LOOP
    -- The first window reaches into the future, where clocks that are ahead have written; the last one has no beginning.
    low := CASE WHEN hours > hours_max THEN bottom
      ELSE GREATEST(bottom, uuid_floor(GREATEST(LEAST(uuid_instant(high), now()) - make_interval(hours => hours), 'epoch'))) END;
    RETURN QUERY EXECUTE statement
      USING tenant, low, high, filters, people, tasks_found, people_found, text_pattern, id_end, most - found;
    GET DIAGNOSTICS added = ROW_COUNT;
    found := found + added;
    high := low;
    hours := hours * 8;
  END LOOP;
END $$;

-- Which tenant has an export under way, on whatever node. Its node renews it; one that is not renewed has lost its node.
CREATE TABLE running_exports (
  tenant_id integer PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  holder uuid NOT NULL,
  renewed_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE running_exports ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON running_exports TO sluice_tenant
  USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT, UPDATE, DELETE ON running_exports TO sluice_tenant;
