-- When each job runs next, and who runs it. A node that runs a job in steps leases it and renews the lease; jobs of one
-- transaction hold a lock of that transaction instead.
CREATE TABLE job_schedules (
  name text PRIMARY KEY,
  next_at timestamptz NOT NULL,
  -- Between two regular runs.
  interval_seconds integer NOT NULL DEFAULT 0,
  -- When a node last said that it runs this job: nodes do so at their start and each hour.
  planned_at timestamptz NOT NULL DEFAULT now(),
  -- Failures since the last success: the wait before the next attempt grows with them.
  attempts integer NOT NULL DEFAULT 0,
  run_id uuid,
  leased_until timestamptz
);
