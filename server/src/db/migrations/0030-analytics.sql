-- What a sum cannot tell of a quarter of an hour: when the last request came, and the mean of the scores after each.
ALTER TABLE usage_rollups
  ADD COLUMN last_received_at timestamptz,
  ADD COLUMN scored_requests bigint NOT NULL DEFAULT 0,
  ADD COLUMN score_sum double precision NOT NULL DEFAULT 0;

-- What was not counted until now is the mean of the rows that are still there, and the start of the quarter of an hour.
UPDATE usage_rollups SET last_received_at = bucket_start WHERE requests > 0;
WITH scores AS (
  SELECT tenant_id, user_id, date_bin('15 minutes', received_at, 'epoch') AS bucket_start,
    count(*) AS requests, sum(user_score_after) AS score_sum
  FROM request_logs WHERE status <> 'refused' AND user_score_after IS NOT NULL GROUP BY 1, 2, 3
), heirs AS (
  SELECT DISTINCT ON (r.tenant_id, r.user_id, r.bucket_start) r.ctid AS row, s.requests, s.score_sum
  FROM usage_rollups r JOIN scores s USING (tenant_id, user_id, bucket_start) WHERE r.requests > 0
)
UPDATE usage_rollups r SET scored_requests = heirs.requests, score_sum = heirs.score_sum FROM heirs WHERE r.ctid = heirs.row;

CREATE INDEX usage_rollups_user ON usage_rollups (tenant_id, user_id, bucket_start);

-- Of what was refused there are sums by reason.
CREATE INDEX request_logs_refused ON request_logs (tenant_id, id) WHERE status = 'refused';
