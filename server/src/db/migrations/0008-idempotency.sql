-- What was answered to a request that carried an Idempotency-Key, written in the transaction of the request's effect:
-- there is a row if and only if there was the effect. Kept for 24 hours.
CREATE TABLE idempotency_keys (
  tenant_id integer NOT NULL REFERENCES tenants ON DELETE CASCADE,
  actor_id integer NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  -- Of the request's path, query and body, to tell a repetition from another request.
  request_hash bytea NOT NULL,
  answer json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, actor_id, route, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON idempotency_keys TO sluice_tenant
  USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT, UPDATE ON idempotency_keys TO sluice_tenant;
