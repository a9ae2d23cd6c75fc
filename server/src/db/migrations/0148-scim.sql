-- Tokens with which an identity provider manages the users and teams of one tenant. A rotation keeps the row: the former
-- hash stays valid until its own time.
CREATE TABLE scim_tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  last4 text NOT NULL,
  can_assign_roles boolean NOT NULL DEFAULT false,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  expires_at timestamptz NOT NULL,
  former_hash bytea UNIQUE,
  former_expires_at timestamptz,
  revoked_at timestamptz,
  CHECK ((former_hash IS NULL) = (former_expires_at IS NULL))
);
CREATE UNIQUE INDEX scim_tokens_name ON scim_tokens (tenant_id, name_key(name)) WHERE revoked_at IS NULL;
ALTER TABLE scim_tokens ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON scim_tokens TO sluice_tenant
  USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT, UPDATE, DELETE ON scim_tokens TO sluice_tenant;
INSERT INTO stored_bounds (table_name, noun, counted_if, rows_max, row_bytes_max, bytes_of, closed_max, closed_by) VALUES
  ('scim_tokens', 'SCIM tokens', 't.revoked_at IS NULL', 20, 4096, '0', 50, '{tenant_id}');
SELECT watch_bound('scim_tokens'), audit_table('scim_tokens', 'scim_token');
CREATE TRIGGER scim_tokens_closed AFTER INSERT ON scim_tokens REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION forget_closed_rows();

-- The identity provider's own id of a user or group, and the parts of a name that it sends. A deprovisioned user is hidden
-- from SCIM until it is provisioned or activated again.
ALTER TABLE users
  ADD COLUMN external_id text,
  ADD COLUMN given_name text,
  ADD COLUMN family_name text,
  ADD COLUMN provisioned_by text CHECK (provisioned_by IN ('scim')),
  ADD COLUMN deprovisioned_at timestamptz;
ALTER TABLE teams
  ADD COLUMN external_id text,
  ADD COLUMN provisioned_by text CHECK (provisioned_by IN ('scim'));
CREATE INDEX users_external_id ON users (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX teams_external_id ON teams (tenant_id, external_id) WHERE external_id IS NOT NULL;
SELECT audit_table('users', 'user'), audit_table('teams', 'team');
SELECT watch_bound('users'), watch_bound('teams');

-- Changes by a token have no user as their actor; the entry has the token's name instead.
CREATE FUNCTION name_token_actor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.actor_id IS NULL THEN
    NEW.actor_name := COALESCE(NULLIF(current_setting('app.actor_name', true), ''), NEW.actor_name);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entries_token_actor BEFORE INSERT ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION name_token_actor();
