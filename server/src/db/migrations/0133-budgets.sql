-- How much may be used within a period. A budget applies to requests that match every column it names; one that names
-- none applies to the whole organization. What is used of it is an allowance, as for every other limit.
CREATE TABLE budgets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  team_id integer,
  user_id integer,
  api_key_id integer,
  task_id integer,
  llm_provider_id integer,
  model_pattern text,
  measure text NOT NULL CHECK (measure IN ('usd', 'tokens', 'requests')),
  period text NOT NULL CHECK (period IN ('minute', 'hour', 'day', 'week', 'month', 'total')),
  -- Periods are counted from this instant; NULL is the calendar of the organization's time zone.
  starts_at timestamptz,
  -- Nano-dollars, tokens or requests.
  limit_amount bigint NOT NULL CHECK (limit_amount BETWEEN 0 AND 9007199254740991),
  thresholds integer[] NOT NULL DEFAULT '{80,100}',
  action text NOT NULL DEFAULT 'refuse' CHECK (action IN ('refuse', 'warn', 'downgrade')),
  route_to text,
  raised_limit bigint CHECK (raised_limit BETWEEN 1 AND 9007199254740991),
  raised_until timestamptz,
  raise_reason text,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id),
  CHECK ((action = 'downgrade') = (route_to IS NOT NULL)),
  CHECK ((raised_limit IS NULL) = (raised_until IS NULL)),
  FOREIGN KEY (tenant_id, team_id) REFERENCES teams (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, api_key_id) REFERENCES api_keys (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, task_id) REFERENCES tasks (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, llm_provider_id) REFERENCES llm_providers (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX budgets_team ON budgets (tenant_id, team_id) WHERE team_id IS NOT NULL;
CREATE INDEX budgets_user ON budgets (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX budgets_api_key ON budgets (tenant_id, api_key_id) WHERE api_key_id IS NOT NULL;
CREATE INDEX budgets_task ON budgets (tenant_id, task_id) WHERE task_id IS NOT NULL;
CREATE INDEX budgets_llm_provider ON budgets (tenant_id, llm_provider_id) WHERE llm_provider_id IS NOT NULL;
CREATE INDEX budgets_raised ON budgets (raised_until) WHERE raised_until IS NOT NULL;

SELECT make_tenant_table('budgets'), audit_table('budgets', 'budget');

INSERT INTO stored_bounds (table_name, noun, counted_if, rows_max, rows_per_user, row_bytes_max, bytes_of, bytes_max, bytes_per_user) VALUES
  ('budgets', 'budgets', 'true', 200, 5, 8192, '0', NULL, 0);
SELECT watch_bound('budgets');

-- The kind says what is counted, so that journals and settlements need no other row.
ALTER TABLE allowances
  DROP CONSTRAINT allowances_kind_check,
  ADD CONSTRAINT allowances_kind_check CHECK (kind IN ('requests_per_hour', 'tokens_per_day', 'tokens_per_month', 'task_tokens',
    'credits', 'usd_budget', 'token_budget', 'request_budget')) NOT VALID;
ALTER TABLE allowances VALIDATE CONSTRAINT allowances_kind_check;

-- What requests used beyond what they had held. `settled` never exceeds the limit by more.
ALTER TABLE allowances ADD COLUMN overrun bigint NOT NULL DEFAULT 0;

CREATE FUNCTION kind_of_budget(measure text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE measure WHEN 'usd' THEN 'usd_budget' WHEN 'tokens' THEN 'token_budget' ELSE 'request_budget' END
$$;

-- NULL is unlimited: a budget that only warns counts what is used, and limits nothing.
CREATE FUNCTION limit_of_budget(budget budgets) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN budget.action = 'warn' THEN NULL
    WHEN budget.raised_until > now() THEN greatest(budget.raised_limit, budget.limit_amount)
    ELSE budget.limit_amount END
$$;

-- A changed limit applies to the running window at once; later ones begin with it. Nothing is limited by a deleted budget,
-- also on nodes that have not heard of its end.
CREATE FUNCTION apply_budget() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  budget budgets := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  amount bigint := CASE WHEN TG_OP = 'DELETE' THEN NULL ELSE limit_of_budget(NEW) END;
  running record;
BEGIN
  -- One by one in the order of ids, as all who lock several allowances do.
  FOR running IN
    SELECT id FROM allowances
    WHERE kind = kind_of_budget(budget.measure) AND subject_id = budget.id AND limit_amount IS DISTINCT FROM amount
      AND (budget.period = 'total' OR window_start > now() - CASE budget.period
        WHEN 'minute' THEN interval '1 minute' WHEN 'hour' THEN interval '1 hour' WHEN 'day' THEN interval '26 hours'
        WHEN 'week' THEN interval '8 days' ELSE interval '32 days' END)
    ORDER BY id FOR NO KEY UPDATE
  LOOP
    UPDATE allowances SET limit_amount = amount WHERE id = running.id;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER budgets_apply AFTER DELETE OR UPDATE OF limit_amount, raised_limit, raised_until, action ON budgets
  FOR EACH ROW EXECUTE FUNCTION apply_budget();

-- The last window of a budget of which users were notified, and the highest threshold.
CREATE TABLE budget_notices (
  budget_id integer PRIMARY KEY REFERENCES budgets ON DELETE CASCADE,
  window_start timestamptz NOT NULL,
  percent integer NOT NULL
);

-- What requests to models without a price do while a budget in dollars applies to them.
ALTER TABLE tenants
  ADD COLUMN unpriced_models text NOT NULL DEFAULT 'refuse' CHECK (unpriced_models IN ('refuse', 'allow', 'fallback')),
  ADD COLUMN fallback_price jsonb,
  ADD CHECK (unpriced_models <> 'fallback' OR fallback_price IS NOT NULL);
GRANT UPDATE (unpriced_models, fallback_price) ON tenants TO sluice_tenant;
CREATE TRIGGER tenants_stamp_unpriced BEFORE UPDATE OF unpriced_models, fallback_price ON tenants
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER tenants_announce_unpriced AFTER UPDATE OF unpriced_models, fallback_price ON tenants
  FOR EACH ROW EXECUTE FUNCTION announce_change();
SELECT audit_table('tenants', 'tenant'), watch_bound('tenants');
