-- Several keys per user. The primary key is the one of the calls below /admin/users/{id}/api-key; named keys are
-- additional; a task key is created for one task of its user and is revoked with it.
ALTER TABLE api_keys
  ADD COLUMN kind text NOT NULL DEFAULT 'primary' CHECK (kind IN ('primary', 'named', 'task')),
  -- NULL allows everything that the user may do.
  ADD COLUMN models text[],
  ADD COLUMN dialects text[],
  ADD COLUMN networks text[],
  -- The only task of a task key; the default task of any other key.
  ADD COLUMN task_id integer REFERENCES tasks ON DELETE SET NULL,
  ADD COLUMN labels jsonb NOT NULL DEFAULT '{}',
  -- The key that replaced this one.
  ADD COLUMN replaced_by integer REFERENCES api_keys ON DELETE SET NULL,
  -- The key that created this task key.
  ADD COLUMN minted_by integer REFERENCES api_keys ON DELETE SET NULL,
  ADD COLUMN last_used_address text,
  ADD COLUMN last_used_model text;

DROP INDEX api_keys_one_per_user;
CREATE UNIQUE INDEX api_keys_one_per_user ON api_keys (user_id)
  WHERE kind = 'primary' AND revoked_at IS NULL AND superseded_at IS NULL;
CREATE INDEX api_keys_of_task ON api_keys (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX api_keys_replaced ON api_keys (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX api_keys_minted ON api_keys (minted_by) WHERE minted_by IS NOT NULL;

CREATE OR REPLACE TRIGGER api_keys_stamp BEFORE UPDATE OF name, scopes, expires_at, superseded_at, revoked_at, models,
  dialects, networks, task_id ON api_keys
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE OR REPLACE TRIGGER api_keys_announce AFTER INSERT OR DELETE OR UPDATE OF name, scopes, expires_at, superseded_at, revoked_at,
  models, dialects, networks, task_id ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_change();

-- Written with each batch of requests, so neither audited nor bounded.
CREATE OR REPLACE FUNCTION is_audited_column(name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT name <> ALL (ARRAY['id', 'tenant_id', 'created_at', 'changed_at', 'checked_at', 'token_version', 'last_login_at',
      'pending_plan_id', 'pending_plan_until'])
    AND name !~ '^(deviation_(score|pace|recent)|last_used_)'
$$;
SELECT audit_table('api_keys', 'api_key');

-- Revokes the keys of a task that is closed, and of a user whose assignment has ended.
CREATE FUNCTION revoke_task_keys() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'tasks' THEN
    UPDATE api_keys SET revoked_at = now() WHERE task_id = OLD.id AND kind = 'task' AND revoked_at IS NULL;
  ELSE
    UPDATE api_keys SET revoked_at = now()
    WHERE task_id = OLD.task_id AND user_id = OLD.user_id AND kind = 'task' AND revoked_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tasks_revoke_keys AFTER UPDATE OF is_active, deleted_at ON tasks
  FOR EACH ROW WHEN (NOT NEW.is_active OR NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION revoke_task_keys();
CREATE TRIGGER task_assignments_revoke_keys AFTER UPDATE OF status ON task_assignments
  FOR EACH ROW WHEN (OLD.status = 'active' AND NEW.status <> 'active') EXECUTE FUNCTION revoke_task_keys();
CREATE TRIGGER task_assignments_deleted_revoke_keys AFTER DELETE ON task_assignments
  FOR EACH ROW WHEN (OLD.status = 'active') EXECUTE FUNCTION revoke_task_keys();
-- Before the foreign key sets the key's task to NULL.
CREATE FUNCTION revoke_keys_of_deleted_task() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE api_keys SET revoked_at = now() WHERE task_id = OLD.id AND kind = 'task' AND revoked_at IS NULL;
  RETURN OLD;
END $$;
CREATE TRIGGER tasks_deleted_revoke_keys BEFORE DELETE ON tasks
  FOR EACH ROW EXECUTE FUNCTION revoke_keys_of_deleted_task();

-- A revoked key takes the task keys that it created with it.
CREATE FUNCTION revoke_minted_keys() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE api_keys SET revoked_at = now() WHERE minted_by = NEW.id AND revoked_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_revoke_minted AFTER UPDATE OF revoked_at ON api_keys
  FOR EACH ROW WHEN (NEW.kind <> 'task' AND OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION revoke_minted_keys();

ALTER TABLE tenants
  ADD COLUMN api_keys_per_user integer NOT NULL DEFAULT 5 CHECK (api_keys_per_user BETWEEN 0 AND 50),
  ADD COLUMN users_create_keys boolean NOT NULL DEFAULT false;
GRANT UPDATE (api_keys_per_user, users_create_keys) ON tenants TO sluice_tenant;
SELECT audit_table('tenants', 'tenant');

-- Expired task keys are history: nobody revokes them.
UPDATE stored_bounds SET counted_if = $$t.revoked_at IS NULL AND (t.kind <> 'task' OR t.expires_at > now())$$,
  rows_max = 200, rows_per_user = 12, row_bytes_max = 8192
WHERE table_name = 'api_keys';
SELECT watch_bound('api_keys');
