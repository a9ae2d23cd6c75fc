-- One prompt that a person has put to several models. Each answer is a request of theirs with a row in the log.
CREATE TABLE llm_comparisons (
  id uuid PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  prompt text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX llm_comparisons_user ON llm_comparisons (tenant_id, user_id, id DESC);
CREATE INDEX llm_comparisons_tenant ON llm_comparisons (tenant_id, id DESC);

CREATE TABLE llm_comparison_results (
  id uuid PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  comparison_id uuid NOT NULL,
  -- From 1, as the rows of the form.
  position smallint NOT NULL,
  provider_registry_id integer NOT NULL,
  provider_name text NOT NULL,
  model_name text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'failed')),
  response_text text,
  error_message text,
  -- Of its row in the log. What stands there of cost, time and tokens is copied here, since the log forgets sooner.
  request_id uuid,
  cost_nano_usd bigint,
  response_time_ms real,
  total_tokens integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (comparison_id, position),
  FOREIGN KEY (tenant_id, comparison_id) REFERENCES llm_comparisons (tenant_id, id) ON DELETE CASCADE
);
-- What a job looks for: results whose node is gone, and those whose log row came late.
CREATE INDEX llm_comparison_results_open ON llm_comparison_results (created_at) WHERE total_tokens IS NULL;

-- What a tenant has done once and no other table tells.
CREATE TABLE first_steps (
  tenant_id integer PRIMARY KEY REFERENCES tenants,
  -- When a connection to a provider of its own was last found good.
  connection_tested_at timestamptz NOT NULL
);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['llm_comparisons', 'llm_comparison_results', 'first_steps'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO sluice_tenant', name);
  END LOOP;
END $$;

-- A comparison shows its prompt as a request does, so it is looked up among both.
CREATE OR REPLACE FUNCTION find_requests_of_others(requests uuid[], reader_id integer)
RETURNS TABLE (request_id uuid, user_id integer) LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT asked.id, COALESCE(logs.user_id, compared.user_id)
  FROM unnest(requests) asked (id)
    LEFT JOIN request_logs logs ON logs.id = asked.id AND logs.tenant_id = current_tenant()
    LEFT JOIN llm_comparisons compared ON compared.id = asked.id AND compared.tenant_id = current_tenant()
  WHERE COALESCE(logs.user_id, compared.user_id) IS DISTINCT FROM reader_id
$$;
