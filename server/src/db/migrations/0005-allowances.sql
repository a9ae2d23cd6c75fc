-- Every limit is one of these: how much a subject may use within a window. `limit_amount` NULL is unlimited. What is
-- left is limit_amount - settled - leased; nodes lease slices of it and spend them in memory. Amounts are requests,
-- tokens, or for credits nano-dollars, where limit_amount is all that was ever credited and settled all that was spent.
CREATE TABLE allowances (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('requests_per_hour', 'tokens_per_day', 'tokens_per_month', 'task_tokens', 'credits')),
  -- The user, the task assignment or, for credits, the tenant.
  subject_id integer NOT NULL,
  -- '-infinity' for what has no window.
  window_start timestamptz NOT NULL,
  limit_amount bigint CHECK (limit_amount >= 0),
  settled bigint NOT NULL DEFAULT 0,
  leased bigint NOT NULL DEFAULT 0 CHECK (leased >= 0),
  UNIQUE (kind, subject_id, window_start)
);

ALTER TABLE allowances ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON allowances TO sluice_tenant USING (tenant_id = current_tenant());
GRANT SELECT ON allowances TO sluice_tenant;
