-- A session is alive while its version is its person's, so that one change of the person ends all of them.
ALTER TABLE sessions
  ADD COLUMN token_version integer NOT NULL DEFAULT 1,
  ADD COLUMN last_used_at timestamptz;
UPDATE sessions SET token_version = users.token_version FROM users WHERE users.id = sessions.user_id;
CREATE INDEX sessions_expires ON sessions (expires_at);

-- Whose prompts somebody was shown in a list this hour: a list that is asked for again and again leaves one entry.
CREATE TABLE prompt_list_reads (
  tenant_id integer NOT NULL,
  reader_id integer NOT NULL,
  action text NOT NULL,
  hour timestamptz NOT NULL,
  -- 0 for requests of which nobody knows the sender any more.
  user_id integer NOT NULL,
  PRIMARY KEY (tenant_id, reader_id, action, hour, user_id)
);
ALTER TABLE prompt_list_reads ENABLE ROW LEVEL SECURITY;

-- The person for whom the running transaction reads.
CREATE FUNCTION require_reader() RETURNS users LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  reader users;
BEGIN
  SELECT * INTO STRICT reader FROM users WHERE id = NULLIF(current_setting('app.actor', true), '')::integer;
  RETURN reader;
END $$;

-- Which of these requests of the tenant are not the reader's own, and whose they are.
CREATE FUNCTION find_requests_of_others(requests uuid[], reader_id integer)
RETURNS TABLE (request_id uuid, user_id integer) LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT asked.id, logs.user_id
  FROM unnest(requests) asked (id)
    LEFT JOIN request_logs logs ON logs.id = asked.id AND logs.tenant_id = current_tenant()
  WHERE logs.user_id IS DISTINCT FROM reader_id
$$;

CREATE FUNCTION insert_read_entry(reader users, object_type text, object_id text, object_name text, shown jsonb)
RETURNS void LANGUAGE sql SET search_path = public, pg_temp AS $$
  INSERT INTO audit_entries (tenant_id, actor_id, actor_tenant_id, actor_name, actor_email, action, object_type, object_id,
    object_name, after, request_id, address)
  VALUES (current_tenant(), reader.id, reader.tenant_id, reader.name, reader.email,
    NULLIF(current_setting('app.action', true), ''), object_type, object_id, object_name, shown,
    NULLIF(current_setting('app.request_id', true), ''), NULLIF(current_setting('app.address', true), ''))
$$;

-- An entry of its own for each time that somebody looks into a request of another person.
CREATE FUNCTION record_prompt_read(request uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  reader users := require_reader();
BEGIN
  PERFORM insert_read_entry(reader, 'prompt', seen.request_id::text, sender.name, jsonb_build_object('user_id', seen.user_id))
  FROM find_requests_of_others(ARRAY[request], reader.id) seen LEFT JOIN users sender ON sender.id = seen.user_id;
END $$;

-- One entry for a list, of those people alone of whom the reader was not shown one by the same operation this hour.
CREATE FUNCTION record_prompt_list_read(requests uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  reader users := require_reader();
  read_action text := COALESCE(current_setting('app.action', true), '');
  this_hour timestamptz := date_trunc('hour', now());
  people integer[];
BEGIN
  -- In the order of their ids, so that two lists at once do not wait for each other in a circle.
  WITH added AS (
    INSERT INTO prompt_list_reads (tenant_id, reader_id, action, hour, user_id)
    SELECT DISTINCT current_tenant(), reader.id, read_action, this_hour, COALESCE(seen.user_id, 0)
    FROM find_requests_of_others(requests, reader.id) seen
    ORDER BY 5
    ON CONFLICT DO NOTHING
    RETURNING user_id
  )
  SELECT array_agg(user_id ORDER BY user_id) INTO people FROM added;
  IF people IS NULL THEN
    RETURN;
  END IF;
  DELETE FROM prompt_list_reads WHERE tenant_id = current_tenant() AND reader_id = reader.id AND hour < this_hour;
  PERFORM insert_read_entry(
    reader, 'prompt_list', array_to_string(people[:10], ','),
    (SELECT string_agg(name, ', ' ORDER BY id) FROM users WHERE id = ANY (people[:10])),
    jsonb_build_object('user_ids', people[:200], 'request_ids', (array_agg(seen.request_id))[:50], 'requests', count(*)))
  FROM find_requests_of_others(requests, reader.id) seen
  WHERE COALESCE(seen.user_id, 0) = ANY (people);
END $$;

-- The definer's rights, for these two alone: nobody else may write to the log.
REVOKE EXECUTE ON FUNCTION insert_read_entry(users, text, text, text, jsonb) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION record_prompt_read(uuid), record_prompt_list_read(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_prompt_read(uuid), record_prompt_list_read(uuid[]) TO sluice_tenant;
