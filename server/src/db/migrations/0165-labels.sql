-- Labels such as cost_center=4711 on teams, users and tasks, as API keys already have them.
ALTER TABLE teams ADD COLUMN labels jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(labels) = 'object');
ALTER TABLE users ADD COLUMN labels jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(labels) = 'object');
ALTER TABLE tasks ADD COLUMN labels jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(labels) = 'object');
-- Whether callers may label single requests by a header.
ALTER TABLE tenants ADD COLUMN accepts_request_labels boolean NOT NULL DEFAULT false;
GRANT UPDATE (accepts_request_labels) ON tenants TO sluice_tenant;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['teams', 'users', 'tasks', 'api_keys'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OF labels ON %I FOR EACH ROW EXECUTE FUNCTION stamp_change()',
      name || '_stamp_labels', name);
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE OF labels ON %I FOR EACH ROW EXECUTE FUNCTION announce_change()',
      name || '_announce_labels', name);
  END LOOP;
END $$;
CREATE TRIGGER tenants_stamp_labels BEFORE UPDATE OF accepts_request_labels ON tenants
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER tenants_announce_labels AFTER UPDATE OF accepts_request_labels ON tenants
  FOR EACH ROW EXECUTE FUNCTION announce_change();
SELECT audit_table('teams', 'team'), audit_table('users', 'user'), audit_table('tasks', 'task'), audit_table('tenants', 'tenant');
SELECT watch_bound('teams'), watch_bound('users'), watch_bound('tasks');

-- The labels of a request when it was received. NULL if it had none; later changes of labels do not apply to it.
ALTER TABLE request_logs ADD COLUMN labels jsonb;

-- Usage of labeled requests by their whole set of labels, in quarters of an hour like `usage_rollups`, of which it is a part.
CREATE TABLE labeled_usage (
  bucket_start timestamptz NOT NULL,
  node_slot smallint NOT NULL,
  tenant_id integer NOT NULL,
  user_id integer,
  api_key_id integer,
  team_id integer,
  task_id integer,
  llm_provider_id integer,
  provider_key text,
  model text,
  intent text,
  labels jsonb NOT NULL,
  -- Identifies the labels, which can be longer than an index entry may be.
  label_set uuid GENERATED ALWAYS AS (md5(labels::text)::uuid) STORED,
  requests bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  user_llm_nano_usd bigint NOT NULL DEFAULT 0,
  company_llm_nano_usd bigint NOT NULL DEFAULT 0,
  scored_requests bigint NOT NULL DEFAULT 0,
  score_sum double precision NOT NULL DEFAULT 0,
  last_received_at timestamptz,
  UNIQUE NULLS NOT DISTINCT (tenant_id, bucket_start, node_slot, user_id, api_key_id, team_id, task_id, llm_provider_id,
    provider_key, model, intent, label_set)
);
ALTER TABLE labeled_usage ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON labeled_usage TO sluice_tenant USING (tenant_id = current_tenant());
GRANT SELECT ON labeled_usage TO sluice_tenant;

-- A statement adds up the deductions of a month.
CREATE INDEX ledger_entries_minute ON ledger_entries (tenant_id, minute) WHERE kind = 'deduction';

-- Adds the filter by label to the search of the log, whose other filters stay as they are.
DO $$
DECLARE
  known CONSTANT text := pg_get_functiondef('find_request_logs(jsonb, bigint)'::regprocedure);
  anchor CONSTANT text := $a$('provider_key', $c$provider_key = $4->>'provider_key'$c$),$a$;
  added CONSTANT text := $a$('labels', $c$labels @> ($4->'labels')$c$),
    ('label_names', $c$labels ?& ARRAY(SELECT jsonb_array_elements_text($4->'label_names'))$c$),
    $a$;
BEGIN
  IF position(anchor IN known) = 0 THEN RAISE EXCEPTION 'find_request_logs has no filter by provider'; END IF;
  EXECUTE replace(known, anchor, added || anchor);
END $$;
