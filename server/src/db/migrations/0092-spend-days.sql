-- Daily sums by task, API key and instance, and of every combination, so that reports filtered by any of them read days
-- instead of the log. The previous release reads the same groups, in finer rows, and adds them up.
ALTER TABLE usage_days
  ADD COLUMN task_id integer,
  ADD COLUMN api_key_id integer,
  ADD COLUMN llm_provider_id integer,
  DROP CONSTRAINT usage_days_grouped_by_check,
  ADD CONSTRAINT usage_days_grouped_by_check CHECK (grouped_by IN ('intent', 'model', 'team', 'all'));

DO $$
DECLARE
  name text;
BEGIN
  SELECT conname INTO STRICT name FROM pg_constraint WHERE conrelid = 'usage_days'::regclass AND contype = 'u';
  EXECUTE format('ALTER TABLE usage_days DROP CONSTRAINT %I', name);
END $$;
ALTER TABLE usage_days ADD UNIQUE NULLS NOT DISTINCT
  (tenant_id, grouped_by, day, node_slot, user_id, intent, provider_key, model, team_id, is_by_key, task_id, api_key_id, llm_provider_id);

-- A user's own figures read only their days. The indexed columns never change, so updates of a day do not touch it.
CREATE INDEX usage_days_user ON usage_days (tenant_id, grouped_by, user_id, day);

CREATE OR REPLACE FUNCTION add_to_usage_days(added usage_rollups[], removed usage_rollups[]) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO usage_days AS sums (tenant_id, grouped_by, day, node_slot, user_id, intent, provider_key, model, team_id, is_by_key,
    task_id, api_key_id, llm_provider_id,
    requests, tokens, user_llm_nano_usd, company_llm_nano_usd, scored_requests, score_sum, last_received_at)
  SELECT * FROM (
    SELECT tenant_id, CASE GROUPING(intent, model, team_id) WHEN 3 THEN 'intent' WHEN 5 THEN 'model' WHEN 6 THEN 'team' ELSE 'all' END,
      (bucket_start AT TIME ZONE time_zone)::date AS day, node_slot, user_id, intent, provider_key, model, team_id,
      CASE WHEN GROUPING(api_key_id) = 0 THEN api_key_id IS NOT NULL END AS is_by_key, task_id, api_key_id, llm_provider_id,
      sum(sign * requests), sum(sign * (input_tokens + cache_read_tokens + cache_write_tokens + output_tokens)),
      sum(sign * user_llm_nano_usd), sum(sign * company_llm_nano_usd), sum(sign * scored_requests), sum(sign * score_sum),
      max(coalesce(last_received_at, bucket_start)) FILTER (WHERE sign = 1)
    FROM (SELECT 1 AS sign, * FROM unnest(added) UNION ALL SELECT -1, * FROM unnest(removed)) rollup
      JOIN usage_day_spans USING (tenant_id)
    -- Rejections alone are not usage.
    WHERE requests > 0
    GROUP BY tenant_id, 3, node_slot, user_id, GROUPING SETS ((intent), (provider_key, model, llm_provider_id),
      (team_id, task_id, api_key_id), (intent, provider_key, model, llm_provider_id, team_id, task_id, api_key_id))
  ) summed
  -- The same order for all writers, so that they never deadlock.
  ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
  ON CONFLICT (tenant_id, grouped_by, day, node_slot, user_id, intent, provider_key, model, team_id, is_by_key, task_id, api_key_id, llm_provider_id)
  DO UPDATE SET
    requests = sums.requests + EXCLUDED.requests,
    tokens = sums.tokens + EXCLUDED.tokens,
    user_llm_nano_usd = sums.user_llm_nano_usd + EXCLUDED.user_llm_nano_usd,
    company_llm_nano_usd = sums.company_llm_nano_usd + EXCLUDED.company_llm_nano_usd,
    scored_requests = sums.scored_requests + EXCLUDED.scored_requests,
    score_sum = sums.score_sum + EXCLUDED.score_sum,
    last_received_at = greatest(sums.last_received_at, EXCLUDED.last_received_at);
END $$;

-- Days that were summed without the new columns are summed again by the job that also runs after a change of the time
-- zone; until then reports read the rollups.
UPDATE usage_day_spans SET whole_from = 'infinity'
WHERE EXISTS (SELECT FROM usage_rollups WHERE usage_rollups.tenant_id = usage_day_spans.tenant_id);
