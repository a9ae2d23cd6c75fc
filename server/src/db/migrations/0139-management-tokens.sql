-- Tokens for the management API that act for a user within some scopes. Only a keyed hash of a token is stored.
CREATE TABLE management_tokens (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  last4 text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX management_tokens_of_user ON management_tokens (tenant_id, user_id, id);
ALTER TABLE management_tokens ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON management_tokens TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT, UPDATE ON management_tokens TO sluice_tenant;
SELECT audit_table('management_tokens', 'management_token');

INSERT INTO stored_bounds (table_name, noun, counted_by, counted_if, rows_max, rows_per_user, row_bytes_max, bytes_of, closed_max, closed_by) VALUES
  ('management_tokens', 'management tokens', '{tenant_id}', 't.revoked_at IS NULL AND t.expires_at > now()', 200, 2, 8192, '0',
    50, '{tenant_id,user_id}');
SELECT watch_bound('management_tokens');
CREATE TRIGGER management_tokens_closed AFTER INSERT ON management_tokens REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION forget_closed_rows();

-- A token ends with the rights that its user had: a later change back does not make it valid again.
CREATE FUNCTION revoke_management_tokens() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE management_tokens SET revoked_at = now()
  WHERE tenant_id = NEW.tenant_id AND user_id = NEW.id AND revoked_at IS NULL;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION revoke_management_tokens() FROM PUBLIC;
CREATE TRIGGER users_revoke_management_tokens AFTER UPDATE OF role_id, is_active, is_blocked ON users
  FOR EACH ROW WHEN (OLD.role_id <> NEW.role_id OR (OLD.is_active AND NOT NEW.is_active) OR (NEW.is_blocked AND NOT OLD.is_blocked))
  EXECUTE FUNCTION revoke_management_tokens();
