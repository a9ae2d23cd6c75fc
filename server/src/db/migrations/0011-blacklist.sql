-- What nobody of the tenant may use, whatever they are granted. Without a pattern the whole provider.
CREATE TABLE blacklist_entries (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  provider_key text NOT NULL,
  model_pattern text,
  reason text NOT NULL,
  description text,
  blocked_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX blacklist_entries_once ON blacklist_entries (tenant_id, lower(provider_key), lower(COALESCE(model_pattern, '')));

SELECT make_tenant_table('blacklist_entries');
