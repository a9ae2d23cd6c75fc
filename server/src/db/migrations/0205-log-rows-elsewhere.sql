-- For installations whose request log is in another database. The transaction that books a batch comes first; the rows are
-- written next. Both tables are empty while the log is in this database.

-- Score columns of the last booked batch of each journal, by request id: the rows may still have to be written.
CREATE TABLE undelivered_scores (
  journal text PRIMARY KEY,
  scores jsonb NOT NULL,
  booked_at timestamptz NOT NULL DEFAULT now()
);

-- Booked requests that have no position in a journal, such as those of workers that died.
CREATE TABLE interrupted_requests (id uuid PRIMARY KEY);
