-- A process that leases allowances. It lives for as long as it renews `expires_at`; what it still held when it stayed
-- away for good has been written off at `reaped_at`.
CREATE TABLE nodes (
  id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  reaped_at timestamptz
);

-- What a node has had of an allowance, gave back, and spent: running totals, so that a statement whose answer was lost
-- may be sent again. The node holds granted - returned - spent, and the sum over all nodes is the allowance's `leased`.
CREATE TABLE leases (
  node_id uuid NOT NULL REFERENCES nodes ON DELETE CASCADE,
  allowance_id bigint NOT NULL REFERENCES allowances ON DELETE CASCADE,
  granted bigint NOT NULL DEFAULT 0,
  returned bigint NOT NULL DEFAULT 0,
  spent bigint NOT NULL DEFAULT 0,
  -- What the node held when it was written off counts as used; what turns up later is taken from that first.
  is_reaped boolean NOT NULL DEFAULT false,
  PRIMARY KEY (node_id, allowance_id),
  CHECK (granted - returned - spent >= 0)
) WITH (fillfactor = 60);
CREATE INDEX leases_allowance ON leases (allowance_id);

-- For forgetting windows that are long over.
CREATE INDEX allowances_windows ON allowances (kind, window_start) WHERE window_start > '-infinity';

-- Room in the page for the next version of a row that changes with every batch.
ALTER TABLE allowances SET (fillfactor = 60);
-- When the limit was last changed, for the poll behind the notifications; NULL while it is as it began.
ALTER TABLE allowances ADD COLUMN changed_at timestamptz;
CREATE INDEX allowances_changed ON allowances (changed_at) WHERE changed_at IS NOT NULL;

CREATE TRIGGER allowances_stamp BEFORE UPDATE OF limit_amount ON allowances
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER allowances_announce AFTER UPDATE OF limit_amount ON allowances
  FOR EACH ROW EXECUTE FUNCTION announce_change();

-- A person's changed quota holds for the windows that are running; later ones begin with it.
-- The definer's rights, since who may change a person may not change an allowance.
CREATE FUNCTION apply_user_quotas() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  running record;
BEGIN
  -- One by one in the order of ids, as all who lock several allowances do.
  FOR running IN
    SELECT allowances.id, quota.amount
    FROM allowances JOIN (VALUES
      ('requests_per_hour', NEW.requests_per_hour, interval '1 hour'),
      ('tokens_per_day', NEW.daily_quota, interval '26 hours'),
      ('tokens_per_month', NEW.monthly_quota, interval '32 days')
    ) AS quota (kind, amount, longest) USING (kind)
    WHERE subject_id = NEW.id AND window_start > now() - longest AND limit_amount IS DISTINCT FROM quota.amount
    ORDER BY allowances.id FOR NO KEY UPDATE OF allowances
  LOOP
    UPDATE allowances SET limit_amount = running.amount WHERE id = running.id;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER users_apply_quotas AFTER UPDATE OF daily_quota, monthly_quota, requests_per_hour ON users
  FOR EACH ROW EXECUTE FUNCTION apply_user_quotas();

-- What a request cost, and the price it was charged at. Self-managed instances cost the tenant no credits.
ALTER TABLE request_logs
  ADD COLUMN cost_nano_usd bigint,
  ADD COLUMN is_service_managed boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT request_logs_usage_source_check,
  ADD CONSTRAINT request_logs_usage_source_check
    CHECK (usage_source IN ('provider', 'partial', 'estimated', 'capped', 'none'));

-- Quarters of an hour of UTC, written with the log rows; each node has rows of its own, so that none waits for another.
CREATE TABLE usage_rollups (
  bucket_start timestamptz NOT NULL,
  node_slot smallint NOT NULL,
  tenant_id integer NOT NULL,
  user_id integer,
  api_key_id integer,
  team_id integer,
  task_id integer,
  llm_provider_id integer,
  provider_key text,
  model text,
  intent text,
  requests bigint NOT NULL DEFAULT 0,
  errors bigint NOT NULL DEFAULT 0,
  refusals bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cache_read_tokens bigint NOT NULL DEFAULT 0,
  cache_write_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  reasoning_tokens bigint NOT NULL DEFAULT 0,
  response_time_ms bigint NOT NULL DEFAULT 0,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  -- The part of the cost that the tenant paid to its own provider, and the part that was taken from its credits.
  user_llm_nano_usd bigint NOT NULL DEFAULT 0,
  company_llm_nano_usd bigint NOT NULL DEFAULT 0,
  UNIQUE NULLS NOT DISTINCT (tenant_id, bucket_start, node_slot, user_id, api_key_id, team_id, task_id, llm_provider_id,
    provider_key, model, intent)
);

ALTER TABLE usage_rollups ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON usage_rollups TO sluice_tenant USING (tenant_id = current_tenant());
GRANT SELECT ON usage_rollups TO sluice_tenant;
