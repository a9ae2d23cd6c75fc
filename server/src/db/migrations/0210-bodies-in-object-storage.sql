-- For installations whose bodies are in object storage. The tables are empty without it.

-- Key of each organization's texts, sealed with the master key. Without it they cannot be decrypted.
CREATE TABLE body_keys (
  id serial PRIMARY KEY,
  tenant_id integer NOT NULL UNIQUE REFERENCES tenants ON DELETE CASCADE,
  sealed_key bytea NOT NULL
);

-- Objects with the texts of a batch. A row exists before its object is written; `is_used` is set by the transaction that
-- books the batch. The id begins with the time of the oldest request.
CREATE TABLE body_objects (
  id uuid PRIMARY KEY,
  file text NOT NULL,
  tenants integer[] NOT NULL,
  bytes integer NOT NULL,
  index_offset integer NOT NULL,
  last_at timestamptz NOT NULL,
  is_used boolean NOT NULL DEFAULT false,
  begun_at timestamptz NOT NULL DEFAULT now(),
  -- Ranges of the first file that later files lack. Rows keep the offsets of the first file.
  removed int4multirange NOT NULL DEFAULT '{}',
  -- Until then, each run of the job looks for texts whose rows are gone.
  check_until timestamptz
);
CREATE INDEX body_objects_unused ON body_objects (begun_at) WHERE NOT is_used;
CREATE INDEX body_objects_to_check ON body_objects (check_until) WHERE check_until IS NOT NULL;

-- Files to delete; a row is removed after its file.
CREATE TABLE obsolete_body_files (
  file text PRIMARY KEY,
  delete_after timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE request_log_bodies
  ADD COLUMN body_object uuid,
  ADD COLUMN body_offset integer,
  ADD COLUMN body_length integer,
  -- Whether prompt and response are only beginnings of those in the object.
  ADD COLUMN is_cut boolean;

-- Object of the last booked batch of a journal.
ALTER TABLE undelivered_scores ADD COLUMN body_object uuid;

-- Has its row while ClickHouse may have rows of the request log that PostgreSQL lacks.
CREATE TABLE clickhouse_log (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);

-- Objects with texts of the current tenant, and the tenant's key.
CREATE FUNCTION find_body_objects(objects uuid[]) RETURNS TABLE (id uuid, file text, removed text, sealed_key bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.id, o.file, o.removed::text, k.sealed_key
  FROM body_objects o JOIN body_keys k ON k.tenant_id = current_tenant()
  WHERE o.id = ANY (objects) AND o.is_used AND current_tenant() = ANY (o.tenants)
$$;
REVOKE EXECUTE ON FUNCTION find_body_objects(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_body_objects(uuid[]) TO sluice_tenant;
