-- Budgets that each user of an organization, or each member of a team, gets.
CREATE TABLE budget_defaults (
  -- One sequence for both: the default of a team is also read as a budget.
  id integer DEFAULT nextval('budgets_id_seq') PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  -- NULL is the whole organization.
  team_id integer,
  measure text NOT NULL CHECK (measure IN ('usd', 'tokens', 'requests')),
  period text NOT NULL CHECK (period IN ('minute', 'hour', 'day', 'week', 'month', 'total')),
  -- Nano-dollars, tokens or requests.
  limit_amount bigint NOT NULL CHECK (limit_amount BETWEEN 0 AND 9007199254740991),
  thresholds integer[] NOT NULL DEFAULT '{80,100}',
  action text NOT NULL DEFAULT 'refuse' CHECK (action IN ('refuse', 'warn', 'downgrade')),
  route_to text,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (tenant_id, team_id, measure, period),
  CHECK ((action = 'downgrade') = (route_to IS NOT NULL)),
  FOREIGN KEY (tenant_id, team_id) REFERENCES teams (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE budget_defaults ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON budget_defaults TO sluice_tenant
  USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT, UPDATE, DELETE ON budget_defaults TO sluice_tenant;
GRANT USAGE ON SEQUENCE budgets_id_seq TO sluice_tenant;
SELECT audit_table('budget_defaults', 'budget_default');

-- A budget with `is_default` is made and changed by the default that applies to its user. It is retired while none does:
-- then it limits nothing, but what was used in its windows counts if its user gets a default again.
ALTER TABLE budgets
  ADD COLUMN is_default boolean NOT NULL DEFAULT false,
  ADD COLUMN default_id integer REFERENCES budget_defaults ON DELETE SET NULL,
  ADD COLUMN is_retired boolean NOT NULL DEFAULT false,
  ADD CHECK (NOT is_default OR (user_id IS NOT NULL AND team_id IS NULL AND api_key_id IS NULL AND task_id IS NULL
    AND llm_provider_id IS NULL AND model_pattern IS NULL AND starts_at IS NULL)),
  ADD CHECK (is_default OR NOT is_retired);
CREATE UNIQUE INDEX budgets_of_default ON budgets (tenant_id, user_id, measure, period) WHERE is_default;
CREATE INDEX budgets_default ON budgets (default_id) WHERE default_id IS NOT NULL;

-- Those of defaults are bounded by the users, measures and periods.
UPDATE stored_bounds SET counted_if = 'NOT t.is_default' WHERE table_name = 'budgets';

-- A change of a default is one entry, however many users it concerns.
DROP TRIGGER budgets_audit ON budgets;
CREATE TRIGGER budgets_audit_added AFTER INSERT ON budgets
  FOR EACH ROW WHEN (NOT NEW.is_default) EXECUTE FUNCTION record_change('budget');
CREATE TRIGGER budgets_audit_deleted AFTER DELETE ON budgets
  FOR EACH ROW WHEN (NOT OLD.is_default) EXECUTE FUNCTION record_change('budget');
CREATE TRIGGER budgets_audit AFTER UPDATE ON budgets FOR EACH ROW
  WHEN (NOT (OLD.is_default AND NEW.is_default)
    OR (OLD.raised_limit, OLD.raised_until, OLD.raise_reason) IS DISTINCT FROM (NEW.raised_limit, NEW.raised_until, NEW.raise_reason))
  EXECUTE FUNCTION record_change('budget');

CREATE OR REPLACE FUNCTION limit_of_budget(budget budgets) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN budget.action = 'warn' OR budget.is_retired THEN NULL
    WHEN budget.raised_until > now() THEN greatest(budget.raised_limit, budget.limit_amount)
    ELSE budget.limit_amount END
$$;
CREATE OR REPLACE TRIGGER budgets_apply AFTER DELETE OR UPDATE OF limit_amount, raised_limit, raised_until, action, is_retired ON budgets
  FOR EACH ROW EXECUTE FUNCTION apply_budget();

-- Whether a budget is a limit of all that its user does, which wins over a default of the same measure and period. One
-- with a later start applies in addition, so that its user is not without a limit until then.
CREATE FUNCTION is_own_limit(b budgets) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT NOT b.is_default AND b.user_id IS NOT NULL AND b.team_id IS NULL AND b.api_key_id IS NULL AND b.task_id IS NULL
    AND b.llm_provider_id IS NULL AND b.model_pattern IS NULL AND coalesce(b.starts_at, b.created_at) <= b.created_at
$$;

-- Brings the default budgets of a tenant, or of one of its users, or of one measure and period, up to date. Of the
-- defaults of one measure and period, those of teams win over the organization's, and the highest of several teams.
CREATE FUNCTION apply_budget_defaults(of_tenant integer, of_user integer, of_measure text, of_period text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- One at a time, so that a new member and a new default cannot miss each other.
  PERFORM pg_advisory_xact_lock(hashtext('budget_defaults'), of_tenant);
  IF NOT EXISTS (SELECT FROM budget_defaults WHERE tenant_id = of_tenant)
    AND NOT EXISTS (SELECT FROM budgets WHERE tenant_id = of_tenant AND is_default AND NOT is_retired) THEN RETURN; END IF;
  -- In the order of ids, as all who lock several allowances do.
  PERFORM FROM allowances a JOIN budgets b ON a.kind = kind_of_budget(b.measure) AND a.subject_id = b.id
  WHERE b.tenant_id = of_tenant AND b.is_default AND (of_user IS NULL OR b.user_id = of_user)
    AND (of_measure IS NULL OR (b.measure, b.period) = (of_measure, of_period))
    AND (b.period = 'total' OR a.window_start > now() - interval '32 days')
  ORDER BY a.id FOR NO KEY UPDATE OF a;
  WITH wanted AS MATERIALIZED (
    SELECT DISTINCT ON (u.id, d.measure, d.period) u.id AS user_id, d.*
    FROM users u JOIN budget_defaults d ON d.tenant_id = u.tenant_id
    WHERE u.tenant_id = of_tenant AND (of_user IS NULL OR u.id = of_user)
      AND (of_measure IS NULL OR (d.measure, d.period) = (of_measure, of_period))
      AND (d.team_id IS NULL OR EXISTS (
        SELECT FROM team_members m JOIN teams t ON t.id = m.team_id
        WHERE m.team_id = d.team_id AND m.user_id = u.id AND m.is_active AND t.is_active))
      AND NOT EXISTS (
        SELECT FROM budgets b WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id
          AND (b.measure, b.period) = (d.measure, d.period) AND is_own_limit(b))
    ORDER BY u.id, d.measure, d.period, d.team_id IS NULL, d.limit_amount DESC, d.id
  ), changed AS (
    UPDATE budgets b SET default_id = w.id, limit_amount = w.limit_amount, thresholds = w.thresholds, action = w.action,
      route_to = w.route_to, is_retired = false
    FROM wanted w
    WHERE b.tenant_id = of_tenant AND b.is_default AND (b.user_id, b.measure, b.period) = (w.user_id, w.measure, w.period)
      AND (b.default_id, b.limit_amount, b.thresholds, b.action, b.route_to, b.is_retired)
        IS DISTINCT FROM (w.id, w.limit_amount, w.thresholds, w.action, w.route_to, false)
  ), added AS (
    INSERT INTO budgets (tenant_id, user_id, measure, period, limit_amount, thresholds, action, route_to, is_default, default_id)
    SELECT of_tenant, w.user_id, w.measure, w.period, w.limit_amount, w.thresholds, w.action, w.route_to, true, w.id
    FROM wanted w
    WHERE NOT EXISTS (
      SELECT FROM budgets b WHERE b.tenant_id = of_tenant AND b.is_default
        AND (b.user_id, b.measure, b.period) = (w.user_id, w.measure, w.period))
  )
  UPDATE budgets b SET is_retired = true, default_id = NULL
  WHERE b.tenant_id = of_tenant AND b.is_default AND NOT b.is_retired AND (of_user IS NULL OR b.user_id = of_user)
    AND (of_measure IS NULL OR (b.measure, b.period) = (of_measure, of_period))
    AND NOT EXISTS (
      SELECT FROM wanted w WHERE (w.user_id, w.measure, w.period) = (b.user_id, b.measure, b.period));
END $$;
REVOKE EXECUTE ON FUNCTION apply_budget_defaults(integer, integer, text, text) FROM PUBLIC;

CREATE FUNCTION follow_budget_defaults() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
  of_user integer := CASE TG_TABLE_NAME WHEN 'users' THEN changed ->> 'id' ELSE changed ->> 'user_id' END;
BEGIN
  -- Only budgets of a user can win over a default.
  IF TG_TABLE_NAME = 'budgets' AND of_user IS NULL THEN RETURN NULL; END IF;
  PERFORM apply_budget_defaults((changed ->> 'tenant_id')::integer, of_user, changed ->> 'measure', changed ->> 'period');
  RETURN NULL;
END $$;
CREATE TRIGGER budget_defaults_apply AFTER INSERT OR DELETE OR UPDATE ON budget_defaults
  FOR EACH ROW EXECUTE FUNCTION follow_budget_defaults();
CREATE TRIGGER users_budget_defaults AFTER INSERT ON users
  FOR EACH ROW EXECUTE FUNCTION follow_budget_defaults();
CREATE TRIGGER team_members_budget_defaults AFTER INSERT OR DELETE OR UPDATE OF is_active ON team_members
  FOR EACH ROW EXECUTE FUNCTION follow_budget_defaults();
CREATE TRIGGER teams_budget_defaults AFTER UPDATE OF is_active ON teams
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION follow_budget_defaults();
CREATE TRIGGER budgets_own_added AFTER INSERT ON budgets
  FOR EACH ROW WHEN (NOT NEW.is_default AND NEW.user_id IS NOT NULL) EXECUTE FUNCTION follow_budget_defaults();
CREATE TRIGGER budgets_own_deleted AFTER DELETE ON budgets
  FOR EACH ROW WHEN (NOT OLD.is_default AND OLD.user_id IS NOT NULL) EXECUTE FUNCTION follow_budget_defaults();
CREATE TRIGGER budgets_own_changed AFTER UPDATE OF is_default ON budgets
  FOR EACH ROW WHEN (OLD.is_default <> NEW.is_default) EXECUTE FUNCTION follow_budget_defaults();
