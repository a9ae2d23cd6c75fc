-- Requests of another gateway, judged by this installation's rules without being served.
CREATE TABLE shadow_runs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  -- Where the requests came from: a file, a mirror of the traffic, or the log of the other gateway.
  source text NOT NULL CHECK (source IN ('file', 'mirror', 'log')),
  -- The other gateway as shown, without credentials. NULL if its log was not given.
  compared_with text,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- NULL while the command runs.
  ended_at timestamptz,
  -- Sums of the requests. Stored when the run ends, since the list of runs would otherwise read up to 4 million requests.
  sums jsonb,
  UNIQUE (tenant_id, id)
);
ALTER TABLE shadow_runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON shadow_runs TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
GRANT SELECT, DELETE ON shadow_runs TO sluice_tenant;
SELECT audit_table('shadow_runs', 'shadow_run');

-- Verdicts without texts. Written by the command only.
CREATE TABLE shadow_requests (
  tenant_id integer NOT NULL,
  run_id integer NOT NULL,
  position integer NOT NULL,
  requested_at timestamptz NOT NULL,
  -- NULL for a caller that is unknown here.
  user_id integer,
  api_key_id integer,
  path text NOT NULL,
  model_requested text NOT NULL,
  -- The verdict here. NULL is served.
  error_code text,
  message text,
  llm_provider_id integer,
  model text,
  intent text,
  score_after double precision,
  input_tokens bigint,
  output_tokens bigint,
  cost_nano_usd bigint,
  -- What the other gateway did. NULL if its log has no such request.
  other_outcome text CHECK (other_outcome IN ('served', 'refused', 'failed')),
  other_request_id text,
  other_model text,
  other_cost_nano_usd bigint,
  difference text NOT NULL CHECK (difference IN ('none', 'refused_here', 'refused_there', 'other_model', 'other_cost', 'not_compared')),
  PRIMARY KEY (run_id, position),
  FOREIGN KEY (tenant_id, run_id) REFERENCES shadow_runs (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX shadow_requests_difference ON shadow_requests (run_id, difference, position);
ALTER TABLE shadow_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON shadow_requests TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
-- Deleted only with their run, by the foreign key.
GRANT SELECT ON shadow_requests TO sluice_tenant;

-- Costs are decimal strings, and those of the requests that both gateways serve and whose cost is known at both.
CREATE FUNCTION sum_shadow_requests(of_tenant integer, of_run integer) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'requests', count(*),
    'none', count(*) FILTER (WHERE difference = 'none'),
    'refused_here', count(*) FILTER (WHERE difference = 'refused_here'),
    'refused_there', count(*) FILTER (WHERE difference = 'refused_there'),
    'other_model', count(*) FILTER (WHERE difference = 'other_model'),
    'other_cost', count(*) FILTER (WHERE difference = 'other_cost'),
    'not_compared', count(*) FILTER (WHERE difference = 'not_compared'),
    'cost_nano_usd', COALESCE(sum(cost_nano_usd) FILTER (WHERE is_priced), 0)::text,
    'other_cost_nano_usd', COALESCE(sum(other_cost_nano_usd) FILTER (WHERE is_priced), 0)::text,
    'first_request_at', min(requested_at),
    'last_request_at', max(requested_at))
  FROM (
    SELECT *, error_code IS NULL AND other_outcome = 'served' AND cost_nano_usd IS NOT NULL AND other_cost_nano_usd IS NOT NULL AS is_priced
    FROM shadow_requests WHERE tenant_id = of_tenant AND run_id = of_run
  ) r
$$;

CREATE FUNCTION store_shadow_sums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sums := sum_shadow_requests(NEW.tenant_id, NEW.id);
  RETURN NEW;
END $$;
CREATE TRIGGER shadow_runs_sums BEFORE UPDATE OF ended_at ON shadow_runs
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION store_shadow_sums();
