-- Days of the tenant's calendar, each of them summed up three times, by what the figures are asked for. A quarter of an
-- hour has almost as many rollups as rows; a day has few.
CREATE TABLE usage_days (
  tenant_id integer NOT NULL,
  grouped_by text NOT NULL CHECK (grouped_by IN ('intent', 'model', 'team')),
  day date NOT NULL,
  node_slot smallint NOT NULL,
  user_id integer,
  -- Of these, what the row is not grouped by is NULL.
  intent text,
  provider_key text,
  model text,
  team_id integer,
  is_by_key boolean,
  requests bigint NOT NULL,
  tokens bigint NOT NULL,
  user_llm_nano_usd bigint NOT NULL,
  company_llm_nano_usd bigint NOT NULL,
  scored_requests bigint NOT NULL,
  score_sum double precision NOT NULL,
  last_received_at timestamptz,
  UNIQUE NULLS NOT DISTINCT (tenant_id, grouped_by, day, node_slot, user_id, intent, provider_key, model, team_id, is_by_key)
-- Room for the next version of a row beside it, since the rows of today change with each batch.
) WITH (fillfactor = 70);

-- By which zone a tenant's days were made, and from which on they are whole. Another zone makes them all anew: until
-- then figures of the days before are summed up from the rollups.
CREATE TABLE usage_day_spans (
  tenant_id integer PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  time_zone text NOT NULL,
  whole_from date NOT NULL
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['usage_days', 'usage_day_spans'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant())', name);
    EXECUTE format('GRANT SELECT ON %I TO sluice_tenant', name);
  END LOOP;
END $$;

-- Who adds to a tenant's days shares this lock until the end of the transaction; who makes them anew has it alone.
CREATE FUNCTION usage_days_lock() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT 7153884';

-- Adds rollups to the days that they lie in, and takes others away.
CREATE FUNCTION add_to_usage_days(added usage_rollups[], removed usage_rollups[]) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO usage_days AS sums (tenant_id, grouped_by, day, node_slot, user_id, intent, provider_key, model, team_id, is_by_key,
    requests, tokens, user_llm_nano_usd, company_llm_nano_usd, scored_requests, score_sum, last_received_at)
  SELECT * FROM (
    SELECT tenant_id, CASE GROUPING(intent, model, team_id) WHEN 3 THEN 'intent' WHEN 5 THEN 'model' ELSE 'team' END,
      (bucket_start AT TIME ZONE time_zone)::date AS day, node_slot, user_id, intent, provider_key, model, team_id,
      api_key_id IS NOT NULL AS is_by_key,
      sum(sign * requests), sum(sign * (input_tokens + cache_read_tokens + cache_write_tokens + output_tokens)),
      sum(sign * user_llm_nano_usd), sum(sign * company_llm_nano_usd), sum(sign * scored_requests), sum(sign * score_sum),
      max(coalesce(last_received_at, bucket_start)) FILTER (WHERE sign = 1)
    FROM (SELECT 1 AS sign, * FROM unnest(added) UNION ALL SELECT -1, * FROM unnest(removed)) rollup
      JOIN usage_day_spans USING (tenant_id)
    -- Refusals alone are no use.
    WHERE requests > 0
    GROUP BY tenant_id, 3, node_slot, user_id, GROUPING SETS ((intent), (provider_key, model), (team_id, api_key_id IS NOT NULL))
  ) summed
  -- In one order for all, so that two writers never deadlock.
  ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  ON CONFLICT (tenant_id, grouped_by, day, node_slot, user_id, intent, provider_key, model, team_id, is_by_key) DO UPDATE SET
    requests = sums.requests + EXCLUDED.requests,
    tokens = sums.tokens + EXCLUDED.tokens,
    user_llm_nano_usd = sums.user_llm_nano_usd + EXCLUDED.user_llm_nano_usd,
    company_llm_nano_usd = sums.company_llm_nano_usd + EXCLUDED.company_llm_nano_usd,
    scored_requests = sums.scored_requests + EXCLUDED.scored_requests,
    score_sum = sums.score_sum + EXCLUDED.score_sum,
    last_received_at = greatest(sums.last_received_at, EXCLUDED.last_received_at);
END $$;

-- The days follow the rollups in the same transaction, whoever writes them.
CREATE FUNCTION follow_usage_rollups() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(usage_days_lock(), tenant_id)
  FROM (SELECT DISTINCT tenant_id FROM added ORDER BY tenant_id) tenants;
  IF TG_OP = 'INSERT' THEN
    PERFORM add_to_usage_days(ARRAY(SELECT added::usage_rollups FROM added), '{}');
  ELSE
    PERFORM add_to_usage_days(ARRAY(SELECT added::usage_rollups FROM added), ARRAY(SELECT removed::usage_rollups FROM removed));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER added_to_days AFTER INSERT ON usage_rollups
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION follow_usage_rollups();
CREATE TRIGGER changed_in_days AFTER UPDATE ON usage_rollups
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION follow_usage_rollups();

-- A new tenant's days are whole from the first on; by another zone none is.
CREATE FUNCTION begin_usage_days() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO usage_day_spans VALUES (NEW.id, NEW.time_zone, '-infinity');
  ELSE
    UPDATE usage_day_spans SET time_zone = NEW.time_zone, whole_from = 'infinity' WHERE tenant_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tenants_begin_usage_days AFTER INSERT ON tenants
  FOR EACH ROW EXECUTE FUNCTION begin_usage_days();
CREATE TRIGGER tenants_begin_usage_days_anew AFTER UPDATE OF time_zone ON tenants
  FOR EACH ROW WHEN (OLD.time_zone <> NEW.time_zone) EXECUTE FUNCTION begin_usage_days();

INSERT INTO usage_day_spans
SELECT id, time_zone, CASE WHEN EXISTS (SELECT FROM usage_rollups WHERE tenant_id = tenants.id) THEN 'infinity' ELSE '-infinity' END::date
FROM tenants;

-- Makes the newest day anew that is not whole yet, from its rollups; answers whether there may be more of them.
CREATE FUNCTION extend_usage_days(tenant integer) RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  span usage_day_spans;
  newest timestamptz;
  first_day date;
BEGIN
  -- Those who have added by the zone before have ended, and nobody adds meanwhile.
  PERFORM pg_advisory_xact_lock(usage_days_lock(), tenant);
  SELECT * INTO span FROM usage_day_spans WHERE tenant_id = tenant FOR UPDATE;
  IF span.whole_from IS NULL OR span.whole_from = '-infinity' THEN
    RETURN false;
  END IF;
  SELECT max(bucket_start) INTO newest FROM usage_rollups
  WHERE tenant_id = tenant AND bucket_start < span.whole_from::timestamp AT TIME ZONE span.time_zone;
  first_day := COALESCE((newest AT TIME ZONE span.time_zone)::date, '-infinity');
  DELETE FROM usage_days WHERE tenant_id = tenant AND day >= first_day AND day < span.whole_from;
  PERFORM add_to_usage_days(ARRAY(
    SELECT rollup FROM usage_rollups rollup WHERE tenant_id = tenant
      AND bucket_start >= first_day::timestamp AT TIME ZONE span.time_zone
      AND bucket_start < span.whole_from::timestamp AT TIME ZONE span.time_zone
  ), '{}');
  UPDATE usage_day_spans SET whole_from = first_day WHERE tenant_id = tenant;
  RETURN first_day <> '-infinity';
END $$;
