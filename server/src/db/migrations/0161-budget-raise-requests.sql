-- Raises of a budget that its user asks for.
CREATE TABLE budget_raise_requests (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  budget_id integer NOT NULL,
  user_id integer NOT NULL,
  -- Nano-dollars, tokens or requests.
  limit_amount bigint NOT NULL CHECK (limit_amount BETWEEN 1 AND 9007199254740991),
  until timestamptz NOT NULL,
  reason text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'approved', 'declined')),
  note text,
  decided_by integer,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'open') = (decided_at IS NULL)),
  FOREIGN KEY (tenant_id, budget_id) REFERENCES budgets (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX budget_raise_requests_open ON budget_raise_requests (budget_id, user_id) WHERE status = 'open';
CREATE INDEX budget_raise_requests_tenant ON budget_raise_requests (tenant_id, id DESC);
CREATE INDEX budget_raise_requests_user ON budget_raise_requests (tenant_id, user_id);
ALTER TABLE budget_raise_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON budget_raise_requests TO sluice_tenant
  USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT, UPDATE, DELETE ON budget_raise_requests TO sluice_tenant;
INSERT INTO stored_bounds (table_name, noun, counted_by, counted_if, rows_max, row_bytes_max, bytes_of, closed_max, closed_by) VALUES
  ('budget_raise_requests', 'open requests for a raise', '{tenant_id,user_id}', $$t.status = 'open'$$, 5, 8192, '0', 20, '{tenant_id,user_id}');
SELECT watch_bound('budget_raise_requests'), audit_table('budget_raise_requests', 'budget_raise_request');
CREATE TRIGGER budget_raise_requests_closed AFTER INSERT ON budget_raise_requests REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION forget_closed_rows();
