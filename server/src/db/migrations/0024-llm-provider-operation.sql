-- While an instance is in maintenance no request goes there; it keeps its grants. NULL in `maintenance_until`: until
-- somebody ends it.
ALTER TABLE llm_providers
  ADD COLUMN maintenance_since timestamptz,
  ADD COLUMN maintenance_until timestamptz,
  ADD COLUMN maintenance_reason text,
  -- Its place among the tenant's instances when one of them is to be asked; NULL comes after all that have one.
  ADD COLUMN fallback_position integer,
  -- The key before the one in `sealed_api_key`, for as long as both are valid.
  ADD COLUMN sealed_former_api_key bytea,
  ADD COLUMN former_api_key_expires_at timestamptz,
  ADD CHECK ((sealed_former_api_key IS NULL) = (former_api_key_expires_at IS NULL)),
  ADD CHECK (maintenance_since IS NOT NULL OR (maintenance_until IS NULL AND maintenance_reason IS NULL));
-- What the job that erases former keys looks for.
CREATE INDEX llm_providers_former_key ON llm_providers (former_api_key_expires_at) WHERE sealed_former_api_key IS NOT NULL;

SELECT audit_table('llm_providers', 'llm_provider');
