-- Second factors of sign-in: authenticator apps (TOTP), passkeys (WebAuthn) and recovery codes.
ALTER TABLE users ADD COLUMN has_second_factor boolean NOT NULL DEFAULT false;
CREATE TRIGGER users_stamp_second_factor BEFORE UPDATE OF has_second_factor ON users
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER users_announce_second_factor AFTER UPDATE OF has_second_factor ON users
  FOR EACH ROW EXECUTE FUNCTION announce_change();

-- Roles of the tenant whose users must have a second factor.
ALTER TABLE tenants ADD COLUMN second_factor_roles text[] NOT NULL DEFAULT '{}'
  CHECK (second_factor_roles <@ ARRAY['admin', 'user']);
GRANT UPDATE (second_factor_roles) ON tenants TO sluice_tenant;
CREATE TRIGGER tenants_stamp_second_factor BEFORE UPDATE OF second_factor_roles ON tenants
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER tenants_announce_second_factor AFTER UPDATE OF second_factor_roles ON tenants
  FOR EACH ROW EXECUTE FUNCTION announce_change();

ALTER TABLE platform_settings ADD COLUMN requires_super_admin_second_factor boolean NOT NULL DEFAULT false;

-- `proved_at`: the last time that the user of the session signed in or entered the password.
ALTER TABLE sessions
  ADD COLUMN proved_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN passkey_challenge text;
UPDATE sessions SET proved_at = created_at;

CREATE TABLE totp_authenticators (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  sealed_secret bytea,
  -- NULL until the first code was entered: until then it is no factor.
  confirmed_at timestamptz,
  -- The time step of the last accepted code; no code of this or an earlier step is accepted again.
  last_step bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  UNIQUE (user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);

CREATE TABLE passkeys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  name text NOT NULL,
  credential_id text NOT NULL UNIQUE,
  -- COSE key in base64url.
  public_key text NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX passkeys_of_user ON passkeys (tenant_id, user_id);

-- One row per user; a code that is used is removed from the list.
CREATE TABLE recovery_codes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  code_hash_list bytea[] NOT NULL CHECK (cardinality(code_hash_list) <= 10),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);

-- Sign-ins whose password was right and whose second step is open. Everything that ends sessions also ends tickets.
CREATE TABLE sign_in_tickets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  token_version integer NOT NULL,
  challenge text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX sign_in_tickets_of_user ON sign_in_tickets (user_id, id);
ALTER TABLE sign_in_tickets ENABLE ROW LEVEL SECURITY;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['totp_authenticators', 'passkeys', 'recovery_codes'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sluice_tenant', name);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION is_audited_column(name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT name <> ALL (ARRAY['id', 'tenant_id', 'created_at', 'changed_at', 'checked_at', 'token_version', 'last_login_at',
      'pending_plan_id', 'pending_plan_until', 'sign_count', 'last_step'])
    AND name !~ '^(deviation_(score|pace|recent)|last_used_)'
$$;

SELECT audit_table('users', 'user');
SELECT audit_table('tenants', 'tenant');
SELECT audit_table('platform_settings', 'platform_settings');
SELECT audit_table('totp_authenticators', 'totp_authenticator');
SELECT audit_table('passkeys', 'passkey');
SELECT audit_table('recovery_codes', 'recovery_codes');

INSERT INTO stored_bounds (table_name, noun, counted_by, counted_if, rows_max, row_bytes_max, bytes_of) VALUES
  ('passkeys', 'passkeys of a user', '{tenant_id,user_id}', 'true', 10, 8192, '0'),
  ('sign_in_tickets', 'open sign-ins of a user', '{tenant_id,user_id}', 'true', 20, 8192, '0');
SELECT watch_bound('passkeys'), watch_bound('sign_in_tickets');
