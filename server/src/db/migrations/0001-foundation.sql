-- The role under which every tenant query runs; it owns nothing, so row-level security binds it.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sluice_tenant') THEN
    CREATE ROLE sluice_tenant NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;

-- From PostgreSQL 16 on, having made a role does not yet mean that one may take it.
DO $$
DECLARE
  may_take boolean;
BEGIN
  IF current_setting('server_version_num')::integer >= 160000 THEN
    EXECUTE $sql$ SELECT pg_has_role(current_user, 'sluice_tenant', 'SET') $sql$ INTO may_take;
  ELSE
    may_take := pg_has_role(current_user, 'sluice_tenant', 'MEMBER');
  END IF;
  IF NOT may_take THEN
    GRANT sluice_tenant TO CURRENT_USER;
  END IF;
END $$;

GRANT USAGE ON SCHEMA public TO sluice_tenant;

-- The tenant of the running transaction, NULL outside one: then no policy lets a row through.
CREATE FUNCTION current_tenant() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT NULLIF(current_setting('app.tenant', true), '')::integer $$;

-- Stamps each change that nodes must learn of, for the poll behind the notifications.
CREATE FUNCTION stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := now();
  RETURN NEW;
END $$;

-- Tells every node which row changed; ids only, the node reads the row itself.
CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('sluice_changes', TG_TABLE_NAME || ':' || COALESCE(NEW.id, OLD.id));
  RETURN NULL;
END $$;

CREATE TABLE installation (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  secret_check bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tenants (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL UNIQUE,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('trial', 'active', 'suspended')),
  time_zone text NOT NULL DEFAULT 'UTC',
  user_limit integer CHECK (user_limit >= 0),
  admin_limit integer CHECK (admin_limit >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE roles (
  id integer PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name IN ('super_admin', 'admin', 'user')),
  description text NOT NULL
);

INSERT INTO roles (id, name, description) VALUES
  (1, 'super_admin', 'Operates the platform and every tenant'),
  (2, 'admin', 'Manages the users, providers and tasks of one tenant'),
  (3, 'user', 'Standard user with task access only');

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  role_id integer NOT NULL REFERENCES roles,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  daily_quota bigint CHECK (daily_quota >= 0),
  monthly_quota bigint CHECK (monthly_quota >= 0),
  requests_per_hour bigint CHECK (requests_per_hour >= 0),
  is_active boolean NOT NULL DEFAULT true,
  is_blocked boolean NOT NULL DEFAULT false,
  blocked_reason text,
  blocked_at timestamptz,
  blocked_by integer,
  token_version integer NOT NULL DEFAULT 1,
  last_login_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id)
);
-- Addresses are unique across tenants, since signing in names no tenant.
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  changed_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX sessions_user_address ON sessions (user_id, address);

CREATE TABLE login_attempts (
  subject text NOT NULL,
  window_start timestamptz NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (subject, window_start)
);

CREATE TABLE api_keys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  name text NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  last4 text NOT NULL,
  scopes text[] NOT NULL,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  superseded_at timestamptz,
  revoked_at timestamptz,
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
-- One key a user; a superseded one may live on through the overlap chosen at regeneration.
CREATE UNIQUE INDEX api_keys_one_per_user ON api_keys (user_id) WHERE revoked_at IS NULL AND superseded_at IS NULL;

CREATE TABLE provider_registry (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider_key text NOT NULL UNIQUE,
  display_name text NOT NULL,
  icon text NOT NULL,
  supported_models text[] NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE llm_providers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  provider_registry_id integer NOT NULL REFERENCES provider_registry,
  provider_instance_name text NOT NULL,
  sealed_api_key bytea,
  api_endpoint text,
  enabled_models text[] NOT NULL DEFAULT '{}',
  available_models text[] NOT NULL DEFAULT '{}',
  default_model text,
  model_aliases jsonb NOT NULL DEFAULT '{}',
  is_default boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  is_service_managed boolean NOT NULL DEFAULT false,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id)
);
CREATE UNIQUE INDEX llm_providers_name ON llm_providers (tenant_id, lower(provider_instance_name));
CREATE UNIQUE INDEX llm_providers_one_default ON llm_providers (tenant_id, provider_registry_id) WHERE is_default;

CREATE TABLE user_provider_access (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  llm_provider_id integer NOT NULL,
  allowed_models text[] NOT NULL,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, llm_provider_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, llm_provider_id) REFERENCES llm_providers (tenant_id, id) ON DELETE CASCADE
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['tenants', 'users', 'sessions', 'api_keys', 'llm_providers', 'user_provider_access'] LOOP
    EXECUTE format('CREATE INDEX %I ON %I (changed_at)', name || '_changed', name);
  END LOOP;

  FOREACH name IN ARRAY ARRAY['users', 'sessions', 'api_keys', 'llm_providers', 'user_provider_access'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO sluice_tenant', name);
  END LOOP;
END $$;

ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON tenants TO sluice_tenant USING (id = current_tenant());
GRANT SELECT ON tenants TO sluice_tenant;
GRANT SELECT ON roles, provider_registry TO sluice_tenant;

-- Only the columns that nodes read: a login or a key's use does not wake anyone.
CREATE TRIGGER tenants_stamp BEFORE UPDATE OF name, slug, status, time_zone ON tenants
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER users_stamp BEFORE UPDATE OF role_id, email, name, is_active, is_blocked, blocked_reason, token_version,
  daily_quota, monthly_quota, requests_per_hour ON users
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER sessions_stamp BEFORE UPDATE OF ended_at ON sessions
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER api_keys_stamp BEFORE UPDATE OF name, scopes, expires_at, superseded_at, revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER llm_providers_stamp BEFORE UPDATE ON llm_providers
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER user_provider_access_stamp BEFORE UPDATE ON user_provider_access
  FOR EACH ROW EXECUTE FUNCTION stamp_change();

CREATE TRIGGER tenants_announce AFTER INSERT OR DELETE OR UPDATE OF name, slug, status, time_zone ON tenants
  FOR EACH ROW EXECUTE FUNCTION announce_change();
CREATE TRIGGER users_announce AFTER INSERT OR DELETE OR UPDATE OF role_id, email, name, is_active, is_blocked, blocked_reason,
  token_version, daily_quota, monthly_quota, requests_per_hour ON users
  FOR EACH ROW EXECUTE FUNCTION announce_change();
CREATE TRIGGER sessions_announce AFTER UPDATE OF ended_at ON sessions
  FOR EACH ROW EXECUTE FUNCTION announce_change();
CREATE TRIGGER api_keys_announce AFTER INSERT OR DELETE OR UPDATE OF name, scopes, expires_at, superseded_at, revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_change();
CREATE TRIGGER llm_providers_announce AFTER INSERT OR DELETE OR UPDATE ON llm_providers
  FOR EACH ROW EXECUTE FUNCTION announce_change();
CREATE TRIGGER user_provider_access_announce AFTER INSERT OR DELETE OR UPDATE ON user_provider_access
  FOR EACH ROW EXECUTE FUNCTION announce_change();
