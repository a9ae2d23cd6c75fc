-- Through which team's grant a request was let; NULL where its sender's own or their role sufficed.
ALTER TABLE request_logs ADD COLUMN team_id integer;

-- An instance rests while its vendor is switched off, so whoever mirrors instances must hear of that.
CREATE FUNCTION touch_instances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE llm_providers SET provider_registry_id = NEW.id WHERE provider_registry_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER provider_registry_touch AFTER UPDATE OF is_active ON provider_registry
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION touch_instances();
