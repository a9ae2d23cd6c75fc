-- Pages of prompt reads start after a given entry, so that new reads do not shift them. Same as the function with two
-- parameters, which the previous release calls, except for `older_than`.
CREATE FUNCTION find_prompt_reads(older_than bigint, skip integer, most integer)
RETURNS TABLE (id bigint, read_at timestamptz, reader_name text, action text, is_list boolean, request_ids uuid[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner CONSTANT users := require_reader();
BEGIN
  RETURN QUERY
  WITH entries AS MATERIALIZED (
    SELECT * FROM audit_entries e
    WHERE e.tenant_id = current_tenant() AND e.object_type = 'prompt' AND e.after ->> 'user_id' = owner.id::text
      AND (older_than IS NULL OR e.id < older_than)
    UNION ALL
    SELECT * FROM audit_entries e
    WHERE e.tenant_id = current_tenant() AND e.object_type = 'prompt_list' AND e.after -> 'user_ids' @> to_jsonb(owner.id)
      AND (older_than IS NULL OR e.id < older_than)
    ORDER BY id DESC OFFSET skip LIMIT most
  )
  SELECT e.id, e.created_at,
    CASE WHEN e.actor_tenant_id IS DISTINCT FROM e.tenant_id THEN 'Platform operator' ELSE e.actor_name END,
    e.action, e.object_type = 'prompt_list',
    CASE WHEN e.object_type = 'prompt' THEN ARRAY[e.object_id::uuid] ELSE ARRAY(
      SELECT shown.id::uuid FROM jsonb_array_elements_text(e.after -> 'request_ids') shown (id)
      WHERE EXISTS (SELECT FROM request_logs l WHERE l.id = shown.id::uuid AND l.tenant_id = e.tenant_id AND l.user_id = owner.id)
        OR EXISTS (SELECT FROM llm_comparisons c WHERE c.id = shown.id::uuid AND c.tenant_id = e.tenant_id AND c.user_id = owner.id)
    ) END
  FROM entries e ORDER BY e.id DESC;
END $$;
REVOKE EXECUTE ON FUNCTION find_prompt_reads(bigint, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_prompt_reads(bigint, integer, integer) TO sluice_tenant;
