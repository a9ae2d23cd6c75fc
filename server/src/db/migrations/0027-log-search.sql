-- Ships with PostgreSQL, and the owner of a database may install it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE INDEX request_log_bodies_text ON request_log_bodies USING gin (prompt gin_trgm_ops, response gin_trgm_ops);
CREATE INDEX request_logs_failure_text ON request_logs USING gin (error_code gin_trgm_ops, error_message gin_trgm_ops)
  WHERE status <> 'success';
CREATE INDEX request_logs_failure ON request_logs (tenant_id, status, id DESC) WHERE status <> 'success';
CREATE INDEX request_logs_failure_code ON request_logs (tenant_id, error_code, id DESC) WHERE status <> 'success';
CREATE INDEX request_logs_model ON request_logs (tenant_id, model, id DESC);
CREATE INDEX request_logs_task ON request_logs (tenant_id, task_id, id DESC) WHERE task_id IS NOT NULL;
-- The end of an id, which is what lists show of it.
CREATE INDEX request_logs_id_end ON request_logs (tenant_id, right(id::text, 8));

-- The ids of the tenant's requests that pass all filters, newest first. A policy keeps GIN indexes from being used, so
-- this runs as the tables' owner and takes the tenant from nowhere but the transaction's setting. It looks through
-- windows of time that grow eightfold: a frequent word is found in the newest hours, a rare one by index everywhere.
-- Everything in `filters` is optional; the statement is planned with its values, so that what is absent costs nothing.
CREATE FUNCTION find_request_logs(filters jsonb, most bigint) RETURNS SETOF uuid
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
  WHILE found < most AND high > bottom LOOP
    -- The first window reaches into the future, where clocks that are ahead have written; the last one has no beginning.
    low := CASE WHEN hours > hours_max THEN bottom
      ELSE GREATEST(bottom, uuid_floor(GREATEST(LEAST(uuid_instant(high), now()) - make_interval(hours => hours), 'epoch'))) END;
    RETURN QUERY EXECUTE CASE WHEN is_search_alone
      THEN 'SELECT id FROM (' || hits || ') hit GROUP BY id ORDER BY id DESC LIMIT $10'
      ELSE $query$
      SELECT id FROM request_logs
      WHERE tenant_id = $1 AND id >= $2 AND id < $3
        AND ($4->>'user_id' IS NULL OR user_id = ($4->>'user_id')::integer)
        AND ($4->>'user_like' IS NULL OR user_id = ANY ($5))
        AND ($4->>'task_id' IS NULL OR task_id = ($4->>'task_id')::integer)
        AND ($4->>'task_like' IS NULL OR task_id = ANY ($6))
        AND ($4->>'team_id' IS NULL OR team_id = ($4->>'team_id')::integer)
        AND ($4->>'by_api_key' IS NULL OR (api_key_id IS NOT NULL) = ($4->>'by_api_key')::boolean)
        AND ($4->>'is_admitted' IS NULL OR status <> 'refused')
        AND ($4->>'is_unclassified' IS NULL OR intent_classification IS NULL)
        AND ($4->>'status' IS NULL OR status = $4->>'status')
        AND ($4->>'error_code' IS NULL OR status <> 'success' AND error_code = $4->>'error_code')
        AND ($4->>'intent' IS NULL OR intent_classification = $4->>'intent')
        AND ($4->>'model' IS NULL OR model = $4->>'model')
        AND ($4->>'model_like' IS NULL OR model LIKE $4->>'model_like')
        AND ($4->>'provider_key' IS NULL OR provider_key = $4->>'provider_key')
        AND ($4->>'cost_above' IS NULL OR cost_nano_usd > ($4->>'cost_above')::bigint)
        AND ($4->>'cost_below' IS NULL OR cost_nano_usd < ($4->>'cost_below')::bigint)
        AND ($4->>'tokens_above' IS NULL OR prompt_tokens + completion_tokens > ($4->>'tokens_above')::float8)
        AND ($4->>'tokens_below' IS NULL OR prompt_tokens + completion_tokens < ($4->>'tokens_below')::float8)
        AND ($4->>'response_time_above' IS NULL OR response_time_ms > ($4->>'response_time_above')::float8)
        AND ($4->>'response_time_below' IS NULL OR response_time_ms < ($4->>'response_time_below')::float8)
        AND ($4->>'search_like' IS NULL OR id IN ($query$ || hits || $query$))
      ORDER BY id DESC LIMIT $10
    $query$ END USING tenant, low, high, filters, people, tasks_found, people_found, text_pattern, id_end, most - found;
    GET DIAGNOSTICS added = ROW_COUNT;
    found := found + added;
    high := low;
    hours := hours * 8;
  END LOOP;
END $$;

-- The instant inside a UUIDv7, to the millisecond: what `uuid_floor` puts there.
CREATE FUNCTION uuid_instant(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT to_timestamp(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0) $$;

REVOKE EXECUTE ON FUNCTION find_request_logs(jsonb, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_request_logs(jsonb, bigint) TO sluice_tenant;

-- What somebody took out of the console, and by which filters.
CREATE FUNCTION record_export(noun text, filters jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM insert_read_entry(require_reader(), 'export', noun, noun, filters);
END $$;
REVOKE EXECUTE ON FUNCTION record_export(text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_export(text, jsonb) TO sluice_tenant;
