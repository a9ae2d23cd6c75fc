-- What is kept of a tenant's prompts, for how long, and what bounds its answers.
ALTER TABLE tenants
  ADD COLUMN prompt_privacy text NOT NULL DEFAULT 'full' CHECK (prompt_privacy IN ('full', 'redacted', 'metadata')),
  -- Days for rows of the log, and for the prompts and answers of these rows.
  ADD COLUMN retention_days integer NOT NULL DEFAULT 400 CHECK (retention_days BETWEEN 1 AND 3650),
  ADD COLUMN body_retention_days integer NOT NULL DEFAULT 90 CHECK (body_retention_days BETWEEN 1 AND 3650),
  -- Tokens of one answer; NULL is no cap.
  ADD COLUMN max_output_tokens integer CHECK (max_output_tokens BETWEEN 16 AND 10000000),
  -- The models that may get a prompt of which it is not clear what it asks for; none: all may.
  ADD COLUMN trusted_models text[] NOT NULL DEFAULT '{}',
  ADD CHECK (body_retention_days <= retention_days);
GRANT UPDATE (prompt_privacy, retention_days, body_retention_days, max_output_tokens, trusted_models) ON tenants TO sluice_tenant;
CREATE TRIGGER tenants_stamp_prompts BEFORE UPDATE OF prompt_privacy, max_output_tokens, trusted_models ON tenants
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER tenants_announce_prompts AFTER UPDATE OF prompt_privacy, max_output_tokens, trusted_models ON tenants
  FOR EACH ROW EXECUTE FUNCTION announce_change();
SELECT audit_table('tenants', 'tenant');

-- The mode that was in force when the row was written, so that an empty text can be told from one that was never kept.
ALTER TABLE request_log_bodies ADD COLUMN prompt_privacy text NOT NULL DEFAULT 'full';
-- By which a tenant's old rows are found.
CREATE INDEX request_log_bodies_tenant ON request_log_bodies (tenant_id, id);

-- A correction's prompt goes when the request's own text goes; the label stays.
ALTER TABLE intent_corrections ALTER COLUMN prompt DROP NOT NULL;

-- The audit log is kept for 400 days, and the database lets nobody delete what is younger.
CREATE FUNCTION refuse_early_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.created_at > now() - interval '400 days' THEN
    RAISE EXCEPTION 'DELETE of % is refused: its entries are kept for 400 days', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER audit_entries_append_only ON audit_entries;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite();
CREATE TRIGGER audit_entries_kept BEFORE DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_early_delete();

-- One entry an hour for each reader and request, however often it is opened.
CREATE OR REPLACE FUNCTION record_prompt_read(request uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  reader users := require_reader();
BEGIN
  -- Two readings at once by one person leave one entry.
  PERFORM pg_advisory_xact_lock(hashtextextended(reader.id || ' reads ' || request, 0));
  IF EXISTS (
    SELECT FROM audit_entries
    WHERE tenant_id = current_tenant() AND object_type = 'prompt' AND object_id = request::text
      AND actor_id = reader.id AND created_at >= date_trunc('hour', now())
  ) THEN
    RETURN;
  END IF;
  PERFORM insert_read_entry(reader, 'prompt', seen.request_id::text, sender.name, jsonb_build_object('user_id', seen.user_id))
  FROM find_requests_of_others(ARRAY[request], reader.id) seen LEFT JOIN users sender ON sender.id = seen.user_id;
END $$;

-- Whose prompts were read, as their owners ask for it.
CREATE INDEX audit_entries_prompt_owner ON audit_entries (tenant_id, (after ->> 'user_id'), id) WHERE object_type = 'prompt';
CREATE INDEX audit_entries_prompt_owners ON audit_entries USING gin ((after -> 'user_ids')) WHERE object_type = 'prompt_list';

-- Who has read the caller's own prompts, newest first. It runs as the tables' owner, since a policy keeps these indexes from
-- being used, and takes tenant and person from nowhere but the transaction's settings. Of a list only the caller's own
-- requests are told; who is of another tenant is not named.
CREATE FUNCTION find_prompt_reads(skip integer, most integer)
RETURNS TABLE (id bigint, read_at timestamptz, reader_name text, action text, is_list boolean, request_ids uuid[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  owner CONSTANT users := require_reader();
BEGIN
  RETURN QUERY
  WITH entries AS MATERIALIZED (
    SELECT * FROM audit_entries e
    WHERE e.tenant_id = current_tenant() AND e.object_type = 'prompt' AND e.after ->> 'user_id' = owner.id::text
    UNION ALL
    SELECT * FROM audit_entries e
    WHERE e.tenant_id = current_tenant() AND e.object_type = 'prompt_list' AND e.after -> 'user_ids' @> to_jsonb(owner.id)
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
REVOKE EXECUTE ON FUNCTION find_prompt_reads(integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_prompt_reads(integer, integer) TO sluice_tenant;
