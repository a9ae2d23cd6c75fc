-- Whose owners were told that they expire soon. Apart from the keys, of which each change is audited.
CREATE TABLE api_key_expiry_notices (
  api_key_id integer PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE api_key_expiry_notices ENABLE ROW LEVEL SECURITY;
CREATE INDEX api_keys_expiring ON api_keys (expires_at)
  WHERE revoked_at IS NULL AND superseded_at IS NULL AND expires_at IS NOT NULL;

-- Links by which people who forgot their password choose a new one. Each works once; a newer one replaces it.
CREATE TABLE password_resets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  -- That of the person when they asked: whatever ends their sessions ends the link too.
  token_version integer NOT NULL,
  mail_id integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, mail_id) REFERENCES mails (tenant_id, id)
);
CREATE UNIQUE INDEX password_resets_one_per_user ON password_resets (user_id);
ALTER TABLE password_resets ENABLE ROW LEVEL SECURITY;

-- What is offered on the home page; prices in nano-USD. The limits are those that a tenant gets with the plan.
CREATE TABLE plans (
  id text PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL,
  price_monthly bigint NOT NULL CHECK (price_monthly >= 0),
  price_yearly bigint NOT NULL CHECK (price_yearly >= 0),
  user_limit integer NOT NULL CHECK (user_limit > 0),
  admin_limit integer NOT NULL CHECK (admin_limit > 0),
  position integer NOT NULL UNIQUE
);
INSERT INTO plans (id, name, description, price_monthly, price_yearly, user_limit, admin_limit, position) VALUES
  ('basic', 'Basic', 'For a small team that shares a few models.', 29000000000, 290000000000, 5, 1, 1),
  ('pro', 'Pro', 'For several teams, each with tasks and limits of its own.', 99000000000, 990000000000, 20, 3, 2),
  ('enterprise', 'Enterprise', 'For a whole company with many administrators.', 299000000000, 2990000000000, 100, 10, 3);
ALTER TABLE plans ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody ON plans FOR SELECT TO sluice_tenant USING (true);
GRANT SELECT ON plans TO sluice_tenant;
