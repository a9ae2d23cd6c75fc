-- What providers refused that the gateway had added or translated, so that other workers and nodes do not send it again.
-- An empty model stands for all models of the instance. The gateway ignores rows that are older than a day.
CREATE TABLE provider_refusals (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  llm_provider_id integer NOT NULL,
  tenant_id integer NOT NULL REFERENCES tenants,
  model text NOT NULL CHECK (length(model) <= 256),
  kind text NOT NULL CHECK (kind IN ('field', 'efforts', 'responses', 'output', 'context')),
  value text NOT NULL CHECK (length(value) <= 100),
  refused_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (llm_provider_id, model, kind, value),
  FOREIGN KEY (tenant_id, llm_provider_id) REFERENCES llm_providers (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX provider_refusals_tenant ON provider_refusals (tenant_id);
SELECT make_tenant_table('provider_refusals');
-- Only the gateway writes it.
REVOKE INSERT, UPDATE, DELETE ON provider_refusals FROM sluice_tenant;

-- Another endpoint may refuse other things.
CREATE FUNCTION forget_provider_refusals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM provider_refusals WHERE llm_provider_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER llm_providers_forget_refusals AFTER UPDATE OF api_endpoint ON llm_providers FOR EACH ROW
  WHEN (OLD.api_endpoint IS DISTINCT FROM NEW.api_endpoint) EXECUTE FUNCTION forget_provider_refusals();

INSERT INTO stored_bounds (table_name, noun, counted_if, rows_max, rows_per_user, row_bytes_max, bytes_of, bytes_max, bytes_per_user) VALUES
  ('provider_refusals', 'refusals of providers', 'true', 1000, 0, 8192, '0', NULL, 0);
SELECT watch_bound('provider_refusals');
