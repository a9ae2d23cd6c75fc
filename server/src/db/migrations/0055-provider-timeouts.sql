-- How long the gate waits for an instance; NULL is the default of the product (`server/src/upstream/client.ts`).
ALTER TABLE llm_providers
  ADD COLUMN connect_timeout_ms integer CHECK (connect_timeout_ms BETWEEN 100 AND 30000),
  -- Of a stream. An answer in one piece comes as a whole, so its total is what bounds it.
  ADD COLUMN first_byte_timeout_ms integer CHECK (first_byte_timeout_ms BETWEEN 1000 AND 600000),
  ADD COLUMN idle_timeout_ms integer CHECK (idle_timeout_ms BETWEEN 1000 AND 600000),
  ADD COLUMN total_timeout_ms integer CHECK (total_timeout_ms BETWEEN 1000 AND 3600000),
  ADD COLUMN stream_total_timeout_ms integer CHECK (stream_total_timeout_ms BETWEEN 1000 AND 3600000);

SELECT audit_table('llm_providers', 'llm_provider');
