-- While a change of plan is on its way to the payment provider, seats are limited by the lower of both plans. A node
-- that dies in between leaves `pending_plan_until` to end that.
ALTER TABLE tenants
  ADD COLUMN pending_plan_id text REFERENCES plans (id),
  ADD COLUMN pending_plan_until timestamptz;

-- A pending plan is background state; the change of plan itself is audited.
CREATE OR REPLACE FUNCTION is_audited_column(name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT name <> ALL (ARRAY['id', 'tenant_id', 'created_at', 'changed_at', 'checked_at', 'token_version', 'last_used_at',
      'last_login_at', 'pending_plan_id', 'pending_plan_until'])
    AND name !~ '^deviation_(score|pace|recent)'
$$;
