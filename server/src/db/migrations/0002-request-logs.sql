-- One row for every admitted request, and one for each refusal after authentication.
-- Partitioned by the time inside the UUIDv7 id, so that retention drops a table instead of deleting rows.
CREATE TABLE request_logs (
  id uuid PRIMARY KEY,
  tenant_id integer NOT NULL,
  user_id integer,
  api_key_id integer,
  task_id integer,
  llm_provider_id integer,
  provider_key text,
  provider_instance_name text,
  protocol text NOT NULL,
  operation text NOT NULL,
  model_requested text,
  model text,
  status text NOT NULL CHECK (status IN ('success', 'error', 'client_closed', 'refused')),
  http_status smallint NOT NULL,
  error_code text,
  error_message text,
  is_stream boolean NOT NULL,
  attempts smallint NOT NULL,
  repeats integer NOT NULL DEFAULT 1,
  received_at timestamptz NOT NULL,
  first_byte_ms real,
  response_time_ms real NOT NULL,
  prompt_tokens integer NOT NULL DEFAULT 0,
  cache_read_tokens integer NOT NULL DEFAULT 0,
  cache_write_tokens integer NOT NULL DEFAULT 0,
  completion_tokens integer NOT NULL DEFAULT 0,
  reasoning_tokens integer NOT NULL DEFAULT 0,
  usage_source text NOT NULL CHECK (usage_source IN ('provider', 'partial', 'none')),
  client_request_id text,
  intent_classification text,
  confidence_score real,
  user_score_before double precision,
  user_score_after double precision,
  deviation_score_delta double precision
) PARTITION BY RANGE (id);

CREATE INDEX request_logs_tenant ON request_logs (tenant_id, id DESC);
CREATE INDEX request_logs_user ON request_logs (tenant_id, user_id, id DESC);

-- Texts live apart, so that a list reads only narrow rows. Bodies are cut; length and hash are those of the whole.
CREATE TABLE request_log_bodies (
  id uuid PRIMARY KEY,
  tenant_id integer NOT NULL,
  prompt text,
  response text,
  request_body text,
  request_bytes integer NOT NULL,
  request_sha256 bytea,
  response_bytes integer NOT NULL
) PARTITION BY RANGE (id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['request_logs', 'request_log_bodies'] LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', name || '_default', name);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant())', name);
    EXECUTE format('GRANT SELECT ON %I TO sluice_tenant', name);
  END LOOP;
END $$;

-- The smallest UUIDv7 of an instant: 48 bits of milliseconds, then zeros (RFC 9562, section 5.7).
CREATE FUNCTION uuid_floor(instant timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT (lpad(to_hex((extract(epoch FROM instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$;

-- Makes the daily partitions from yesterday to `days_ahead`; a day that exists is left alone.
CREATE FUNCTION make_log_partitions(days_ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  day date;
  partition text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['request_logs', 'request_log_bodies'] LOOP
    FOR step IN -1..days_ahead LOOP
      day := (now() AT TIME ZONE 'UTC')::date + step;
      partition := parent || '_' || to_char(day, 'YYYYMMDD');
      IF to_regclass(partition) IS NULL THEN
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', partition, parent,
          uuid_floor(day::timestamp AT TIME ZONE 'UTC'), uuid_floor((day + 1)::timestamp AT TIME ZONE 'UTC'));
      END IF;
    END LOOP;
  END LOOP;
END $$;
