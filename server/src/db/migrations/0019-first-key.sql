-- The key that the first start printed, where others may have read it: it ends when a key of somebody's own is in use.
ALTER TABLE installation ADD COLUMN first_key_id integer;

CREATE FUNCTION expire_first_key() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE api_keys SET expires_at = now()
  FROM installation
  WHERE api_keys.id = installation.first_key_id AND api_keys.id <> NEW.id
    AND (api_keys.expires_at IS NULL OR api_keys.expires_at > now());
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_expire_first AFTER UPDATE OF last_used_at ON api_keys
  FOR EACH ROW WHEN (OLD.last_used_at IS NULL AND NEW.last_used_at IS NOT NULL) EXECUTE FUNCTION expire_first_key();
