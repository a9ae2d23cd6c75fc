-- Revoked keys, closed invitations, ended assignments and deleted tasks stay for history and count toward no bound, so
-- repeating an action would add them without end. Of each owner the newest ones are kept; each insert deletes the rest.
ALTER TABLE stored_bounds
  ADD COLUMN closed_max integer CHECK (closed_max > 0),
  ADD COLUMN closed_by text[],
  ADD COLUMN closed_unless text NOT NULL DEFAULT 'false',
  ADD CHECK ((closed_max IS NULL) = (closed_by IS NULL));

UPDATE stored_bounds SET closed_max = given.closed_max, closed_by = given.closed_by, closed_unless = given.closed_unless
FROM (VALUES
  ('api_keys', 100, '{tenant_id,user_id}'::text[], 'false'),
  ('invitations', 2000, '{tenant_id}', 'false'),
  ('task_assignments', 500, '{tenant_id,user_id}', 'false'),
  ('tasks', 2000, '{tenant_id}', 'EXISTS (SELECT FROM task_assignments a WHERE a.task_id = t.id)')
) given (table_name, closed_max, closed_by, closed_unless)
WHERE stored_bounds.table_name = given.table_name;

CREATE FUNCTION forget_closed_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  bound stored_bounds;
  keys text;
  owned text;
  owner jsonb;
BEGIN
  SELECT * INTO STRICT bound FROM stored_bounds WHERE table_name = TG_TABLE_NAME;
  IF bound.closed_max IS NULL THEN RETURN NULL; END IF;
  SELECT string_agg(format('%L, t.%I', name, name), ', '), string_agg(format('t.%I = ($1->>%L)::integer', name, name), ' AND ')
    INTO keys, owned FROM unnest(bound.closed_by) name;
  FOR owner IN EXECUTE format('SELECT DISTINCT jsonb_build_object(%s) FROM added t ORDER BY 1', keys) LOOP
    EXECUTE format(
      'DELETE FROM %1$I t WHERE %2$s AND NOT (%3$s) AND NOT (%4$s) AND t.id <=
         (SELECT t.id FROM %1$I t WHERE %2$s AND NOT (%3$s) ORDER BY t.id DESC OFFSET %5$s LIMIT 1)',
      bound.table_name, owned, bound.counted_if, bound.closed_unless, bound.closed_max) USING owner;
  END LOOP;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION forget_closed_rows() FROM PUBLIC;

CREATE INDEX api_keys_of_user ON api_keys (tenant_id, user_id, id);

DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT table_name FROM stored_bounds WHERE closed_max IS NOT NULL ORDER BY 1 LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION forget_closed_rows()',
      name || '_closed', name);
  END LOOP;
END $$;
