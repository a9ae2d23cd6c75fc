-- What nodes tell each other, and administrators, of the providers that they call.

-- When a provider last refused the new key of an instance, so that the former one was used. It is told for as long as
-- the two overlap until this time: another rotation has another one.
CREATE TABLE provider_key_refusals (
  llm_provider_id integer PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  overlap_ends_at timestamptz NOT NULL,
  refused_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (tenant_id, llm_provider_id) REFERENCES llm_providers (tenant_id, id) ON DELETE CASCADE
);

-- The circuits that are not closed, of each node: it lets no call through until `retry_at`.
CREATE TABLE provider_circuits (
  node_id uuid NOT NULL REFERENCES nodes ON DELETE CASCADE,
  llm_provider_id integer NOT NULL,
  model text NOT NULL,
  tenant_id integer NOT NULL REFERENCES tenants,
  retry_at timestamptz NOT NULL,
  PRIMARY KEY (node_id, llm_provider_id, model),
  FOREIGN KEY (tenant_id, llm_provider_id) REFERENCES llm_providers (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX provider_circuits_tenant ON provider_circuits (tenant_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['provider_key_refusals', 'provider_circuits'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant())', name);
    EXECUTE format('GRANT SELECT ON %I TO sluice_tenant', name);
  END LOOP;
END $$;
-- Whether a node that told of a circuit still lives. It says nothing of any tenant.
GRANT SELECT (id, expires_at) ON nodes TO sluice_tenant;
