-- Requests whose rows are in another database: their users by request id, as the running transaction has looked them up.
-- Empty if the rows are in this database.
CREATE FUNCTION told_request_owners() RETURNS TABLE (request_id uuid, user_id integer)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT key::uuid, value::integer
  FROM jsonb_each_text(COALESCE(NULLIF(current_setting('app.request_owners', true), ''), '{}')::jsonb)
$$;

-- As before, with the owners of requests whose rows are in another database.
CREATE OR REPLACE FUNCTION find_requests_of_others(requests uuid[], reader_id integer)
RETURNS TABLE (request_id uuid, user_id integer) LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT asked.id, COALESCE(logs.user_id, told.user_id, compared.user_id)
  FROM unnest(requests) asked (id)
    LEFT JOIN request_logs logs ON logs.id = asked.id AND logs.tenant_id = current_tenant()
    LEFT JOIN told_request_owners() told ON told.request_id = asked.id
    LEFT JOIN llm_comparisons compared ON compared.id = asked.id AND compared.tenant_id = current_tenant()
  WHERE COALESCE(logs.user_id, told.user_id, compared.user_id) IS DISTINCT FROM reader_id
$$;

-- Adds these owners to the reads of one's own prompts, whose other conditions stay as they are.
DO $$
DECLARE
  known CONSTANT text := pg_get_functiondef('find_prompt_reads(bigint, integer, integer)'::regprocedure);
  anchor CONSTANT text := 'OR EXISTS (SELECT FROM llm_comparisons c';
  added CONSTANT text := 'OR EXISTS (SELECT FROM told_request_owners() told WHERE told.request_id = shown.id::uuid AND told.user_id = owner.id)
        ';
BEGIN
  IF position(anchor IN known) = 0 THEN RAISE EXCEPTION 'find_prompt_reads has no requests of comparisons'; END IF;
  EXECUTE replace(known, anchor, added || anchor);
END $$;

-- The requests in these reads of the caller's prompts, of all users.
CREATE FUNCTION list_read_requests(older_than bigint, skip integer, most integer) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner CONSTANT users := require_reader();
BEGIN
  RETURN QUERY
  WITH entries AS MATERIALIZED (
    SELECT * FROM audit_entries e
    WHERE e.tenant_id = current_tenant() AND e.object_type = 'prompt_list' AND e.after -> 'user_ids' @> to_jsonb(owner.id)
      AND (older_than IS NULL OR e.id < older_than)
    ORDER BY id DESC LIMIT skip + most
  )
  SELECT DISTINCT shown.id::uuid FROM entries e, jsonb_array_elements_text(e.after -> 'request_ids') shown (id);
END $$;
REVOKE EXECUTE ON FUNCTION list_read_requests(bigint, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_read_requests(bigint, integer, integer) TO sluice_tenant;
