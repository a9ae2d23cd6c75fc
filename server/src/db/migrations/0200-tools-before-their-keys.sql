-- The end of a task or an assignment revokes signed-in tools before keys: a tool that renews its key locks both in this
-- order, and would deadlock with the reverse one.
CREATE OR REPLACE FUNCTION revoke_task_keys() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'tasks' THEN
    UPDATE signed_in_tools SET revoked_at = now() WHERE task_id = OLD.id AND revoked_at IS NULL;
    UPDATE api_keys SET revoked_at = now() WHERE task_id = OLD.id AND kind = 'task' AND revoked_at IS NULL;
  ELSE
    UPDATE signed_in_tools SET revoked_at = now()
    WHERE task_id = OLD.task_id AND user_id = OLD.user_id AND revoked_at IS NULL;
    UPDATE api_keys SET revoked_at = now()
    WHERE task_id = OLD.task_id AND user_id = OLD.user_id AND kind = 'task' AND revoked_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER tasks_revoke_tools ON tasks;
DROP TRIGGER task_assignments_revoke_tools ON task_assignments;
DROP TRIGGER task_assignments_deleted_revoke_tools ON task_assignments;
CREATE OR REPLACE FUNCTION revoke_tools() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'sessions' THEN
    UPDATE signed_in_tools SET revoked_at = now() WHERE session_id = OLD.id AND revoked_at IS NULL;
  ELSE
    UPDATE signed_in_tools SET revoked_at = now()
    WHERE tenant_id = OLD.tenant_id AND user_id = OLD.id AND revoked_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
