-- Email domains of a tenant. Only a super administrator confirms that the tenant owns one; until then it grants nothing.
CREATE TABLE domains (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  -- Lower case, in Punycode.
  name text NOT NULL CHECK (name = lower(name)),
  confirmed_at timestamptz,
  confirmed_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, name)
);
CREATE UNIQUE INDEX domains_one_owner ON domains (name) WHERE confirmed_at IS NOT NULL;

-- OpenID Connect providers. A shared one serves the confirmed domains of all tenants; the others those of their tenant.
CREATE TABLE identity_providers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  name text NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  -- NULL for a public client, which proves itself by PKCE alone.
  sealed_client_secret bytea,
  scopes text NOT NULL DEFAULT 'openid email profile',
  prompt text CHECK (prompt IN ('login', 'select_account', 'consent')),
  -- Whether an email without the claim `email_verified` counts as verified.
  trusts_emails boolean NOT NULL DEFAULT false,
  is_enabled boolean NOT NULL DEFAULT true,
  is_shared boolean NOT NULL DEFAULT false,
  -- Domains of the tenant whose users sign in here; all of them if the list is empty.
  email_domains text[] NOT NULL DEFAULT '{}',
  -- Paths of claims; NULL reads none.
  role_claim text DEFAULT 'groups',
  team_claim text DEFAULT 'groups',
  -- `{value, role, team_id}` of each rule.
  mapping jsonb NOT NULL DEFAULT '[]',
  -- NULL rejects users whom no rule gives a role.
  default_role text CHECK (default_role IN ('user', 'admin')) DEFAULT 'user',
  -- Whether a user without an account or an invitation gets an account.
  creates_users boolean NOT NULL DEFAULT true,
  -- Part of the redirect URI if it was chosen before the row's id was known. Never changes.
  callback_key text CHECK (callback_key ~ '^[a-z0-9]{8,40}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id)
);
CREATE UNIQUE INDEX identity_providers_name ON identity_providers (tenant_id, name_key(name));
CREATE UNIQUE INDEX identity_providers_callback ON identity_providers (tenant_id, callback_key);

-- Users as their provider knows them. Until `confirmed_at` an identity grants nothing.
CREATE TABLE user_identities (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  identity_provider_id integer NOT NULL REFERENCES identity_providers ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL,
  -- As the provider reported it when the identity was linked.
  email text NOT NULL,
  is_email_verified boolean NOT NULL DEFAULT false,
  confirmed_at timestamptz,
  -- NULL for a link by email, which opens no account of a super administrator.
  confirmed_by integer,
  -- The role that the mapping gave last. While the user still has it, the role follows the provider.
  mapped_role text CHECK (mapped_role IN ('user', 'admin')),
  -- Teams that the mapping added the user to.
  mapped_teams integer[] NOT NULL DEFAULT '{}',
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (identity_provider_id, issuer, subject),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX user_identities_user ON user_identities (tenant_id, user_id);
-- A user has one identity of a provider; further ones wait for an administrator.
CREATE UNIQUE INDEX user_identities_one ON user_identities (user_id, identity_provider_id) WHERE confirmed_at IS NOT NULL;

CREATE TABLE sign_in_policies (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL UNIQUE REFERENCES tenants,
  local_passwords text NOT NULL DEFAULT 'allowed' CHECK (local_passwords IN ('allowed', 'break_glass')),
  break_glass_users integer[] NOT NULL DEFAULT '{}',
  new_accounts text NOT NULL DEFAULT 'created' CHECK (new_accounts IN ('created', 'invited')),
  idle_minutes integer CHECK (idle_minutes BETWEEN 15 AND 43200),
  session_hours integer NOT NULL DEFAULT 12 CHECK (session_hours BETWEEN 1 AND 720)
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['domains', 'identity_providers', 'user_identities', 'sign_in_policies'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sluice_tenant', name);
  END LOOP;
END $$;

-- Sign-ins at a provider that have begun. The browser holds the secret, from which state, nonce and verifier are derived.
CREATE TABLE sign_in_attempts (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  secret_hash bytea NOT NULL UNIQUE,
  identity_provider_id integer NOT NULL REFERENCES identity_providers ON DELETE CASCADE,
  -- The administrator who tests the provider; NULL for a sign-in.
  tested_by integer,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_attempts_expires ON sign_in_attempts (expires_at);
ALTER TABLE sign_in_attempts ENABLE ROW LEVEL SECURITY;

-- The identity that a session began with, the provider's id of the session, and its ID token as a hint for the sign-out.
ALTER TABLE sessions
  ADD COLUMN user_identity_id integer REFERENCES user_identities ON DELETE SET NULL,
  ADD COLUMN provider_session text,
  ADD COLUMN sealed_id_token bytea;
CREATE INDEX sessions_identity ON sessions (user_identity_id) WHERE user_identity_id IS NOT NULL AND ended_at IS NULL;

-- Sessions end with their provider, also those of other tenants, which a transaction of the provider's tenant cannot see.
CREATE FUNCTION end_provider_sessions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL
    AND user_identity_id IN (SELECT id FROM user_identities WHERE identity_provider_id = OLD.id);
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER identity_providers_end_sessions BEFORE DELETE ON identity_providers
  FOR EACH ROW EXECUTE FUNCTION end_provider_sessions();
CREATE TRIGGER identity_providers_end_sessions_disabled BEFORE UPDATE OF is_enabled ON identity_providers
  FOR EACH ROW WHEN (OLD.is_enabled AND NOT NEW.is_enabled) EXECUTE FUNCTION end_provider_sessions();

-- Whether a domain is confirmed for another tenant, whose rows a tenant cannot see.
CREATE FUNCTION is_domain_of_another(domain text, tenant integer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT EXISTS (SELECT FROM domains WHERE name = domain AND confirmed_at IS NOT NULL AND tenant_id <> tenant) $$;

SELECT audit_table('domains', 'domain'), audit_table('identity_providers', 'identity_provider'),
  audit_table('user_identities', 'user_identity'), audit_table('sign_in_policies', 'sign_in_policy');

INSERT INTO stored_bounds (table_name, noun, counted_if, rows_max, rows_per_user, row_bytes_max, bytes_of, bytes_max, bytes_per_user) VALUES
  ('domains', 'domains', 'true', 100, 0, 1024, '0', NULL, 0),
  ('identity_providers', 'identity providers', 'true', 20, 0, 131072, '0', NULL, 0),
  ('user_identities', 'user identities', 'true', 200, 20, 8192, '0', NULL, 0);
-- ID tokens with many groups have some KiB, twice as many as text.
UPDATE stored_bounds SET row_bytes_max = greatest(row_bytes_max, 32768) WHERE table_name = 'sessions';
SELECT watch_bound('sessions'), watch_bound('domains'), watch_bound('identity_providers'), watch_bound('user_identities');
