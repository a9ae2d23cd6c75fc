-- Command-line tools that a user has signed in (RFC 8628). A tool renews its task key with a refresh token, which rotates.
CREATE TABLE signed_in_tools (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  -- Sent by the tool, and not verified.
  client_id text NOT NULL,
  device_name text NOT NULL,
  -- IP address from which the tool requested its code.
  address text NOT NULL,
  user_agent text NOT NULL,
  task_id integer NOT NULL REFERENCES tasks ON DELETE CASCADE,
  -- The session in which the user allowed the tool, and with which it ends. Its row may be deleted earlier.
  session_id uuid NOT NULL,
  -- All refresh tokens of a tool have the same first half. NULL until the tool has collected its first one.
  family_hash bytea UNIQUE,
  refresh_hash bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_address text,
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX signed_in_tools_of_user ON signed_in_tools (tenant_id, user_id, id);
CREATE INDEX signed_in_tools_of_session ON signed_in_tools (session_id) WHERE revoked_at IS NULL;
CREATE INDEX signed_in_tools_of_task ON signed_in_tools (task_id);
ALTER TABLE signed_in_tools ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON signed_in_tools TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, INSERT, UPDATE ON signed_in_tools TO sluice_tenant;
CREATE TRIGGER signed_in_tools_refuse_service_account BEFORE INSERT OR UPDATE OF user_id ON signed_in_tools
  FOR EACH ROW EXECUTE FUNCTION refuse_service_account();

-- Codes that wait for a user. Both codes are stored as keyed hashes. A code belongs to no tenant until a user allows it.
CREATE TABLE device_codes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_code_hash bytea NOT NULL UNIQUE,
  user_code_hash bytea NOT NULL UNIQUE,
  client_id text NOT NULL,
  device_name text NOT NULL,
  -- Title of the requested task, which the page preselects.
  task_title text,
  address text NOT NULL,
  -- Network that pending codes are counted by.
  network text NOT NULL,
  user_agent text NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'allowed', 'denied')),
  tool_id integer REFERENCES signed_in_tools ON DELETE CASCADE,
  -- Grows whenever the tool polls too early.
  interval_seconds integer NOT NULL DEFAULT 5,
  polled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CHECK ((state = 'allowed') = (tool_id IS NOT NULL))
);
CREATE INDEX device_codes_expires ON device_codes (expires_at);
CREATE INDEX device_codes_network ON device_codes (network, expires_at);
CREATE INDEX device_codes_tool ON device_codes (tool_id) WHERE tool_id IS NOT NULL;
ALTER TABLE device_codes ENABLE ROW LEVEL SECURITY;

-- Signed-in tool that the task key was issued to.
ALTER TABLE api_keys ADD COLUMN tool_id integer REFERENCES signed_in_tools ON DELETE SET NULL;
CREATE INDEX api_keys_of_tool ON api_keys (tool_id) WHERE tool_id IS NOT NULL;

-- Revokes the keys of a tool with the tool.
CREATE FUNCTION revoke_keys_of_tool() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE api_keys SET revoked_at = now() WHERE tool_id = OLD.id AND revoked_at IS NULL;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION revoke_keys_of_tool() FROM PUBLIC;
CREATE TRIGGER signed_in_tools_revoke_keys BEFORE UPDATE OF revoked_at ON signed_in_tools
  FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION revoke_keys_of_tool();
CREATE TRIGGER signed_in_tools_deleted_revoke_keys BEFORE DELETE ON signed_in_tools
  FOR EACH ROW EXECUTE FUNCTION revoke_keys_of_tool();

-- A tool ends with the session in which it was allowed, with its user's sessions and rights, and with its task.
CREATE FUNCTION revoke_tools() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'sessions' THEN
    UPDATE signed_in_tools SET revoked_at = now() WHERE session_id = OLD.id AND revoked_at IS NULL;
  ELSIF TG_TABLE_NAME = 'users' THEN
    UPDATE signed_in_tools SET revoked_at = now()
    WHERE tenant_id = OLD.tenant_id AND user_id = OLD.id AND revoked_at IS NULL;
  ELSIF TG_TABLE_NAME = 'tasks' THEN
    UPDATE signed_in_tools SET revoked_at = now() WHERE task_id = OLD.id AND revoked_at IS NULL;
  ELSE
    UPDATE signed_in_tools SET revoked_at = now()
    WHERE task_id = OLD.task_id AND user_id = OLD.user_id AND revoked_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION revoke_tools() FROM PUBLIC;
CREATE TRIGGER sessions_revoke_tools AFTER UPDATE OF ended_at ON sessions
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION revoke_tools();
CREATE TRIGGER users_revoke_tools AFTER UPDATE OF token_version, is_active, is_blocked ON users
  FOR EACH ROW WHEN (OLD.token_version <> NEW.token_version OR (OLD.is_active AND NOT NEW.is_active)
    OR (NEW.is_blocked AND NOT OLD.is_blocked))
  EXECUTE FUNCTION revoke_tools();
CREATE TRIGGER tasks_revoke_tools AFTER UPDATE OF is_active, deleted_at ON tasks
  FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION revoke_tools();
CREATE TRIGGER task_assignments_revoke_tools AFTER UPDATE OF status ON task_assignments
  FOR EACH ROW WHEN (OLD.status = 'active' AND NEW.status <> 'active') EXECUTE FUNCTION revoke_tools();
CREATE TRIGGER task_assignments_deleted_revoke_tools AFTER DELETE ON task_assignments
  FOR EACH ROW WHEN (OLD.status = 'active') EXECUTE FUNCTION revoke_tools();

SELECT audit_table('signed_in_tools', 'signed_in_tool'), audit_table('api_keys', 'api_key');

INSERT INTO stored_bounds (table_name, noun, counted_by, counted_if, rows_max, row_bytes_max, bytes_of, closed_max, closed_by) VALUES
  ('signed_in_tools', 'signed-in tools of a user', '{tenant_id,user_id}', 't.revoked_at IS NULL AND t.expires_at > now()', 10, 8192, '0',
    50, '{tenant_id,user_id}');
SELECT watch_bound('signed_in_tools'), watch_bound('api_keys');
CREATE TRIGGER signed_in_tools_closed AFTER INSERT ON signed_in_tools REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION forget_closed_rows();
