-- How much one owner can store in each table. An operator raises a bound with an UPDATE of its row here; the columns are
-- explained in docs/operating/bounds.md.
CREATE TABLE stored_bounds (
  table_name text PRIMARY KEY,
  -- The plural that messages use.
  noun text NOT NULL,
  -- Rows that agree in these columns are counted together.
  counted_by text[] NOT NULL DEFAULT '{tenant_id}',
  -- A condition on the row `t`: ended and expired rows are history and do not count.
  counted_if text NOT NULL DEFAULT 'true',
  rows_max integer,
  -- Added for each active user of the tenant.
  rows_per_user integer NOT NULL DEFAULT 0,
  row_bytes_max integer NOT NULL,
  -- The bytes of the row `t` that count toward `bytes_max`.
  bytes_of text NOT NULL DEFAULT 'octet_length(t::text)',
  bytes_max bigint,
  bytes_per_user integer NOT NULL DEFAULT 0
);
ALTER TABLE stored_bounds ENABLE ROW LEVEL SECURITY;

CREATE FUNCTION refuse_beyond_bound(bound stored_bounds, kind text, limit_amount bigint, present bigint, requested bigint, users bigint)
RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'bound of stored % reached: limit %, present %', bound.noun, limit_amount, present USING
    ERRCODE = 'SB001',
    DETAIL = json_build_object('noun', bound.noun, 'kind', kind, 'countedBy', bound.counted_by, 'limit', limit_amount,
      'present', present, 'requested', requested, 'users', users)::text;
END $$;

-- Refuses what takes the owner's rows beyond their number or their bytes. The lock makes transactions of one tenant wait for
-- each other, and a query after it sees what the one before committed.
CREATE FUNCTION require_room(bound stored_bounds, owner jsonb, added_rows bigint, added_bytes bigint)
RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  tenant integer := owner ->> 'tenant_id';
  owned text;
  present bigint;
  users_active bigint := 0;
  allowed bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('stored_bounds.' || bound.table_name), COALESCE(tenant, 0));
  SELECT concat_ws(' AND ', format('(%s)', bound.counted_if), string_agg(
    CASE WHEN owner ->> name IS NULL THEN format('t.%I IS NULL', name) ELSE format('t.%I = %L', name, owner ->> name) END, ' AND '))
  INTO owned FROM unnest(bound.counted_by) name;
  IF bound.rows_per_user > 0 OR bound.bytes_per_user > 0 THEN
    SELECT count(*) INTO users_active FROM users WHERE tenant_id = tenant AND is_active;
  END IF;
  IF added_rows > 0 AND bound.rows_max IS NOT NULL THEN
    EXECUTE format('SELECT count(*) FROM %I t WHERE %s', bound.table_name, owned) INTO present;
    allowed := bound.rows_max + bound.rows_per_user * users_active;
    IF present > allowed THEN
      PERFORM refuse_beyond_bound(bound, 'rows', allowed, present - added_rows, added_rows, users_active);
    END IF;
  END IF;
  IF added_bytes > 0 AND bound.bytes_max IS NOT NULL THEN
    EXECUTE format('SELECT sum(%s) FROM %I t WHERE %s', bound.bytes_of, bound.table_name, owned) INTO present;
    allowed := bound.bytes_max + bound.bytes_per_user * users_active;
    IF present > allowed THEN
      PERFORM refuse_beyond_bound(bound, 'bytes', allowed, present - added_bytes, added_bytes, users_active);
    END IF;
  END IF;
END $$;

CREATE FUNCTION refuse_large_row(bound stored_bounds, bytes bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF bytes > bound.row_bytes_max THEN
    PERFORM refuse_beyond_bound(bound, 'row_bytes', bound.row_bytes_max, 0, bytes, 0);
  END IF;
END $$;

CREATE FUNCTION check_added_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  bound stored_bounds;
  keys text;
  owner jsonb;
  added_rows bigint;
  added_bytes bigint;
BEGIN
  SELECT * INTO STRICT bound FROM stored_bounds WHERE table_name = TG_TABLE_NAME;
  PERFORM refuse_large_row(bound, max(octet_length(t::text))) FROM added t;
  IF bound.rows_max IS NULL AND bound.bytes_max IS NULL THEN RETURN NULL; END IF;
  SELECT string_agg(format('%L, t.%I', name, name), ', ') INTO keys FROM unnest(bound.counted_by) name;
  FOR owner, added_rows, added_bytes IN EXECUTE format(
    'SELECT jsonb_build_object(%s) AS owner, count(*), sum(%s) FROM added t WHERE %s GROUP BY 1 ORDER BY 1',
    keys, bound.bytes_of, bound.counted_if)
  LOOP
    PERFORM require_room(bound, owner, added_rows, added_bytes);
  END LOOP;
  RETURN NULL;
END $$;

-- What was stored before there were bounds can be changed as long as it does not grow.
CREATE FUNCTION check_changed_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  bound stored_bounds;
  was_counted boolean;
  is_counted boolean;
  grown bigint;
BEGIN
  SELECT * INTO STRICT bound FROM stored_bounds WHERE table_name = TG_TABLE_NAME;
  IF octet_length(NEW::text) > octet_length(OLD::text) THEN
    PERFORM refuse_large_row(bound, octet_length(NEW::text));
  END IF;
  IF bound.counted_if = 'true' AND bound.bytes_max IS NULL THEN RETURN NULL; END IF;
  EXECUTE format('SELECT %1$s, %2$s FROM (SELECT ($1).*) t', bound.counted_if, bound.bytes_of) INTO was_counted, grown USING OLD;
  EXECUTE format('SELECT %1$s, %2$s - $2 FROM (SELECT ($1).*) t', bound.counted_if, bound.bytes_of)
    INTO is_counted, grown USING NEW, CASE WHEN was_counted THEN grown ELSE 0 END;
  IF is_counted AND (NOT was_counted OR grown > 0) THEN
    PERFORM require_room(bound, to_jsonb(NEW), CASE WHEN was_counted THEN 0 ELSE 1 END, grown);
  END IF;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION refuse_beyond_bound, require_room, refuse_large_row FROM PUBLIC;

-- To be called again when a table gets a column. What machinery writes with each batch must not wake the trigger.
CREATE FUNCTION watch_bound(watched text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  columns text;
BEGIN
  SELECT string_agg(format('%I', attname), ', ') INTO columns
  FROM pg_attribute
  WHERE attrelid = watched::regclass AND attnum > 0 AND NOT attisdropped AND is_audited_column(attname)
    AND attname !~ '^deviation_recent' AND format_type(atttypid, atttypmod) IN ('text', 'text[]', 'jsonb', 'json', 'bytea');
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_added_rows()',
    watched || '_bound', watched);
  IF columns IS NULL THEN RETURN; END IF;
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER UPDATE OF %s ON %I FOR EACH ROW EXECUTE FUNCTION check_changed_row()',
    watched || '_bound_change', columns, watched);
END $$;
REVOKE EXECUTE ON FUNCTION watch_bound(text) FROM PUBLIC;

-- The number of chats of a user is counted by this.
CREATE INDEX chats_of_user ON chats (tenant_id, user_id);

-- Mirrored by each worker: rows and bytes also bound the start and the memory of every node.
INSERT INTO stored_bounds (table_name, noun, counted_if, rows_max, rows_per_user, row_bytes_max, bytes_of, bytes_max, bytes_per_user) VALUES
  ('users', 'users', 'true', 200, 10, 131072, '0', NULL, 0),
  ('api_keys', 'API keys', 't.revoked_at IS NULL', 100, 4, 4096, '0', NULL, 0),
  ('llm_providers', 'providers', 'true', 100, 0, 262144,
    'octet_length(t.enabled_models::text) + octet_length(t.available_models::text) + octet_length(t.model_aliases::text)', 1048576, 4096),
  ('user_provider_access', 'model grants to users', 'true', 200, 20, 65536, 'octet_length(t.allowed_models::text)', 524288, 16384),
  ('team_provider_access', 'model grants to teams', 'true', 200, 5, 65536, 'octet_length(t.allowed_models::text)', 524288, 8192),
  ('teams', 'teams', 'true', 100, 1, 8192, '0', NULL, 0),
  ('team_members', 'team members', 'true', 200, 20, 1024, '0', NULL, 0),
  ('blacklist_entries', 'blacklist entries', 'true', 500, 0, 16384,
    'octet_length(t.provider_key) + COALESCE(octet_length(t.model_pattern), 0) + octet_length(t.reason)', 262144, 0),
  ('tasks', 'tasks', 't.deleted_at IS NULL', 200, 5, 65536, 'octet_length(t.title) + octet_length(t.description)', 1048576, 16384),
  ('task_assignments', 'active task assignments', $$t.status = 'active'$$, 200, 20, 65536, '0', NULL, 0),
  ('price_overrides', 'prices', 'true', 1000, 0, 8192, '0', NULL, 0);
INSERT INTO stored_bounds (table_name, noun, counted_by, counted_if, rows_max, row_bytes_max, bytes_of) VALUES
  ('tenants', 'tenants', '{}', 'true', NULL, 262144, '0'),
  ('sessions', 'sessions of a user', '{tenant_id,user_id}', 't.expires_at > now()', 300, 8192, '0'),
  ('platform_settings', 'platform settings', '{}', 'true', 1, 8192, '0'),
  ('provider_registry', 'provider types', '{}', 'true', 1000, 1048576, '0');

-- On disk only.
INSERT INTO stored_bounds (table_name, noun, counted_by, counted_if, rows_max, rows_per_user, row_bytes_max, bytes_of) VALUES
  ('invitations', 'open invitations', '{tenant_id}', 't.accepted_at IS NULL AND t.cancelled_at IS NULL', 500, 2, 8192, '0'),
  ('chats', 'chats of a user', '{tenant_id,user_id}', 'true', 50000, 0, 8192, '0'),
  ('chat_messages', 'messages of a chat', '{tenant_id,chat_id}', 'true', 5000, 0, 16777216, '0'),
  ('llm_comparisons', 'comparisons of a user', '{tenant_id,user_id}', 'true', 50000, 0, 1048576, '0');

SELECT watch_bound(table_name) FROM stored_bounds;
