-- Texts of the current day are found by a signature per block: one bit for each trigram of its texts, at the number of the trigram
-- modulo the length (server/src/shipper/text-blocks.ts). Blocks of 0.2.0 have `ngrams` and no signature.
ALTER TABLE request_log_text_blocks ADD COLUMN signature bit varying, ALTER ngrams DROP NOT NULL;
-- A search reads the signature of every block, so it is stored inline.
ALTER TABLE request_log_text_blocks ALTER row_ids SET STORAGE PLAIN, ALTER signature SET STORAGE PLAIN;
DROP INDEX request_log_text_blocks_tenant;
-- With the last id, blocks outside of the time range are skipped without being read.
CREATE INDEX request_log_text_blocks_tenant ON request_log_text_blocks (tenant_id, id, last_id);

CREATE FUNCTION text_signature(ngrams integer[], bits integer) RETURNS bit varying LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  signature bit varying := repeat('0', bits)::bit varying;
  ngram integer;
BEGIN
  FOREACH ngram IN ARRAY ngrams LOOP
    signature := set_bit(signature, ngram % bits, 1);
  END LOOP;
  RETURN signature;
END $$;

-- Returns the blocks with texts from `low` to before `high` whose signatures contain all these trigrams. A block starts on the day
-- on which it ends.
CREATE FUNCTION find_text_blocks(tenant integer, low uuid, high uuid, sought integer[])
RETURNS TABLE (id uuid, last_id uuid, row_ids uuid[]) LANGUAGE plpgsql STABLE ROWS 100 SET search_path = public, pg_temp AS $$
DECLARE
  low_day CONSTANT uuid := uuid_floor(date_trunc('day', uuid_instant(low), 'UTC'));
  smallest CONSTANT bit varying := text_signature(sought, 3392);
  small CONSTANT bit varying := text_signature(sought, 6784);
  large CONSTANT bit varying := text_signature(sought, 13568);
  largest CONSTANT bit varying := text_signature(sought, 27136);
BEGIN
  RETURN QUERY
    SELECT block.id, block.last_id, block.row_ids FROM request_log_text_blocks block
    WHERE block.tenant_id = tenant AND block.id >= low_day AND block.id < high AND block.last_id >= low
      AND CASE length(signature) WHEN 3392 THEN signature & smallest = smallest WHEN 6784 THEN signature & small = small
        WHEN 13568 THEN signature & large = large WHEN 27136 THEN signature & largest = largest END
    UNION ALL
    SELECT block.id, block.last_id, block.row_ids FROM request_log_text_blocks block
    WHERE block.tenant_id = tenant AND block.id >= low_day AND block.id < high AND block.last_id >= low AND block.ngrams @> sought;
END $$;
REVOKE EXECUTE ON FUNCTION find_text_blocks(integer, uuid, uuid, integer[]) FROM PUBLIC;

CREATE OR REPLACE FUNCTION make_text_blocks(first uuid, beyond uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO request_log_text_blocks (id, tenant_id, last_id, row_ids, signature)
  SELECT ids[1], tenant_id, ids[cardinality(ids)], ids, text_signature(ngrams,
    CASE WHEN 4 * cardinality(ngrams) <= 3392 THEN 3392 WHEN 4 * cardinality(ngrams) <= 6784 THEN 6784
      WHEN 4 * cardinality(ngrams) <= 13568 THEN 13568 ELSE 27136 END)
  FROM (
    SELECT tenant_id, array_agg(id ORDER BY id) AS ids, text_ngrams(string_agg(concat_ws(' ', prompt, response), ' ')) AS ngrams
    FROM (
      SELECT id, tenant_id, prompt, response,
        (row_number() OVER (PARTITION BY tenant_id, date_trunc('day', uuid_instant(id), 'UTC') ORDER BY id) - 1) / 32 AS place
      FROM request_log_bodies WHERE id >= first AND id < beyond AND (prompt IS NOT NULL OR response IS NOT NULL)
    ) numbered
    GROUP BY tenant_id, date_trunc('day', uuid_instant(id), 'UTC'), place
  ) block
$$;

DO $$
DECLARE
  known CONSTANT text := pg_get_functiondef('find_request_logs(jsonb, bigint)'::regprocedure);
  source CONSTANT text := 'request_log_text_blocks block CROSS JOIN LATERAL';
  condition CONSTANT text := $c$block.tenant_id = $1 AND block.ngrams @> $11 AND block.id < $3 AND block.last_id >= $2
      AND block.id >= uuid_floor(date_trunc('day', uuid_instant($2), 'UTC'))
      AND body.id$c$;
BEGIN
  IF position(source IN known) = 0 OR position(condition IN known) = 0 THEN RAISE EXCEPTION 'find_request_logs does not read blocks'; END IF;
  EXECUTE replace(replace(known, source, 'find_text_blocks($1, $2, $3, $11) block CROSS JOIN LATERAL'), condition, 'body.id');
END $$;

-- A job builds these for each day when it is over, which is far cheaper than an update per row
-- (server/src/db/log-partitions/day-indexes.ts).
DROP INDEX request_logs_model, request_logs_provider, request_logs_intent, request_logs_cost, request_logs_tokens,
  request_logs_response_time;
