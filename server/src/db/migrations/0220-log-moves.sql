-- Progress of `sluice logs move`, which copies the request log to another database and back, day by day.
CREATE TABLE log_move_days (
  target text NOT NULL CHECK (target IN ('clickhouse', 'postgres')),
  day date NOT NULL,
  -- The last copied row, in the order in which the source is read; NULL before the first batch.
  copied_to text,
  verified_at timestamptz,
  PRIMARY KEY (target, day)
);

-- Users whose rows were deleted: a move may have read some of them before.
CREATE TABLE log_move_deletions (
  tenant_id integer NOT NULL,
  user_id integer NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, user_id)
);
