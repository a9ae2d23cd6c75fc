-- Who changed what. Written by triggers alone, so that no verb can forget it; one entry for each row that changed.
CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- NULL where the change is the whole installation's. No reference, so that an entry outlives what it tells of.
  tenant_id integer,
  -- NULL for the system itself; name and address as they were then.
  actor_id integer,
  actor_tenant_id integer,
  actor_name text,
  actor_email text,
  -- The row of the contract that was called; NULL where none was.
  action text,
  object_type text NOT NULL,
  object_id text NOT NULL,
  object_name text,
  -- The changed columns alone; NULL for what was created or deleted.
  before jsonb,
  after jsonb,
  request_id text,
  address text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_entries_tenant ON audit_entries (tenant_id, id);
CREATE INDEX audit_entries_object ON audit_entries (tenant_id, object_type, object_id, id);

CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite();

-- Whether the running transaction is a super administrator's, of whatever tenant.
CREATE FUNCTION is_operator_acting() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT EXISTS (SELECT FROM users WHERE id = NULLIF(current_setting('app.actor', true), '')::integer AND role_id = 1) $$;

ALTER TABLE audit_entries ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON audit_entries FOR SELECT TO sluice_tenant USING (tenant_id = current_tenant());
CREATE POLICY of_platform ON audit_entries FOR SELECT TO sluice_tenant
  USING (tenant_id IS NULL AND (SELECT is_operator_acting()));
GRANT SELECT ON audit_entries TO sluice_tenant;

-- Not what only machinery writes.
CREATE FUNCTION is_audited_column(name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT name <> ALL (ARRAY['id', 'tenant_id', 'created_at', 'changed_at', 'token_version', 'last_used_at', 'last_login_at'])
    AND name !~ '^deviation_(score|pace)'
$$;

-- What a row holds that the other does not: no empty values of a new or deleted row, and of secrets and prompts no more
-- than that they changed.
CREATE FUNCTION list_changes(changed jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_object_agg(key, CASE
    WHEN key ~ '(^|_)(hash|sealed|secret|password)(_|$)|^(token|prompt)$' AND value <> 'null' THEN '"[redacted]"'
    ELSE value
  END)
  FROM jsonb_each(changed)
  WHERE is_audited_column(key) AND value <> COALESCE(other -> key, 'null')
$$;

-- How people call a row: by its own name, and by the names of what it joins.
CREATE FUNCTION name_changed_row(changed jsonb) RETURNS text LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  names text[] := ARRAY[COALESCE(changed ->> 'name', changed ->> 'provider_instance_name', changed ->> 'title',
    changed ->> 'display_name', changed ->> 'model', changed ->> 'model_pattern', changed ->> 'email', changed ->> 'provider_key', changed ->> 'description')];
BEGIN
  IF changed ->> 'team_id' IS NOT NULL THEN
    names := names || (SELECT name FROM teams WHERE id = (changed ->> 'team_id')::integer);
  END IF;
  IF changed ->> 'task_id' IS NOT NULL THEN
    names := names || (SELECT title FROM tasks WHERE id = (changed ->> 'task_id')::integer);
  END IF;
  IF changed ->> 'user_id' IS NOT NULL THEN
    names := names || (SELECT name FROM users WHERE id = (changed ->> 'user_id')::integer);
  END IF;
  IF changed ->> 'llm_provider_id' IS NOT NULL THEN
    names := names || (SELECT provider_instance_name FROM llm_providers WHERE id = (changed ->> 'llm_provider_id')::integer);
  END IF;
  RETURN NULLIF(array_to_string(names, ' · '), '');
END $$;

-- Its argument is what one row is called in the log. The definer's rights, since nobody else may write there.
CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  old_row jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) ELSE '{}' END;
  new_row jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) ELSE '{}' END;
  changed jsonb := CASE WHEN TG_OP = 'DELETE' THEN old_row ELSE new_row END;
  taken jsonb := list_changes(old_row, new_row);
  given jsonb := list_changes(new_row, old_row);
  actor users;
BEGIN
  IF taken IS NULL AND given IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT * INTO actor FROM users WHERE id = NULLIF(current_setting('app.actor', true), '')::integer;
  INSERT INTO audit_entries (tenant_id, actor_id, actor_tenant_id, actor_name, actor_email, action, object_type, object_id,
    object_name, before, after, request_id, address)
  VALUES (
    (changed ->> CASE TG_TABLE_NAME WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END)::integer,
    actor.id, actor.tenant_id, actor.name, actor.email, NULLIF(current_setting('app.action', true), ''),
    TG_ARGV[0], COALESCE(changed ->> 'id', changed ->> 'request_id'), name_changed_row(changed), taken, given,
    NULLIF(current_setting('app.request_id', true), ''), NULLIF(current_setting('app.address', true), ''));
  RETURN NULL;
END $$;

-- From here on every change of a table is recorded, under the name that one of its rows has in the log. To be called
-- again when the table gets a column: what machinery writes with each batch must not wake the trigger.
CREATE FUNCTION audit_table(table_name text, object_type text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  columns text;
BEGIN
  SELECT string_agg(format('%I', attname), ', ') INTO columns
  FROM pg_attribute
  WHERE attrelid = table_name::regclass AND attnum > 0 AND NOT attisdropped AND is_audited_column(attname);
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER INSERT OR DELETE OR UPDATE OF %s ON %I FOR EACH ROW EXECUTE FUNCTION record_change(%L)',
    table_name || '_audit', columns, table_name, object_type);
END $$;
REVOKE EXECUTE ON FUNCTION audit_table(text, text) FROM PUBLIC;

SELECT audit_table(table_name, object_type)
FROM (VALUES
  ('tenants', 'tenant'),
  ('users', 'user'),
  ('invitations', 'invitation'),
  ('api_keys', 'api_key'),
  ('provider_registry', 'registry_entry'),
  ('llm_providers', 'llm_provider'),
  ('user_provider_access', 'user_provider_access'),
  ('teams', 'team'),
  ('team_members', 'team_member'),
  ('team_provider_access', 'team_provider_access'),
  ('tasks', 'task'),
  ('task_assignments', 'task_assignment'),
  ('blacklist_entries', 'blacklist_entry'),
  ('appeals', 'appeal'),
  ('intent_corrections', 'intent_correction'),
  ('price_overrides', 'price_override'),
  ('platform_settings', 'platform_settings')
) AS audited (table_name, object_type)
WHERE to_regclass(table_name) IS NOT NULL;

-- What people book; a deduction is the gate's, and its requests have rows of their own.
CREATE TRIGGER ledger_entries_audit AFTER INSERT ON ledger_entries
  FOR EACH ROW WHEN (NEW.kind <> 'deduction') EXECUTE FUNCTION record_change('credit_transaction');
