-- Nodes count a request in the budgets of its key, of the key that created it and of the key that replaced it.
CREATE OR REPLACE TRIGGER api_keys_stamp BEFORE UPDATE OF name, scopes, expires_at, superseded_at, revoked_at, models,
  dialects, networks, task_id, replaced_by, minted_by ON api_keys
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE OR REPLACE TRIGGER api_keys_announce AFTER INSERT OR DELETE OR UPDATE OF name, scopes, expires_at, superseded_at, revoked_at,
  models, dialects, networks, task_id, replaced_by, minted_by ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_change();

-- The budgets of a replaced key, and the task keys that it created, become those of the new key.
CREATE FUNCTION follow_replaced_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE budgets SET api_key_id = NEW.replaced_by WHERE api_key_id = NEW.id;
  UPDATE api_keys SET minted_by = NEW.replaced_by WHERE minted_by = NEW.id AND revoked_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_replaced AFTER UPDATE OF replaced_by ON api_keys
  FOR EACH ROW WHEN (NEW.replaced_by IS NOT NULL AND NEW.replaced_by IS DISTINCT FROM OLD.replaced_by)
  EXECUTE FUNCTION follow_replaced_key();

-- Budgets of keys that were replaced earlier.
WITH RECURSIVE followed AS (
  SELECT id, replaced_by FROM api_keys WHERE replaced_by IS NOT NULL
  UNION
  SELECT f.id, k.replaced_by FROM followed f JOIN api_keys k ON k.id = f.replaced_by WHERE k.replaced_by IS NOT NULL
)
UPDATE budgets b SET api_key_id = f.replaced_by FROM followed f JOIN api_keys k ON k.id = f.replaced_by
WHERE b.api_key_id = f.id AND k.replaced_by IS NULL;
