-- Export of the request log to object storage by hours. All tables are empty without it.

-- First hour of the export.
CREATE TABLE log_export_start (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  since timestamptz NOT NULL
);

-- Closed hours: number 0 is the hour itself, further numbers are rows that were booked after it was closed.
CREATE TABLE log_exports (
  hour timestamptz NOT NULL,
  number integer NOT NULL,
  closed_at timestamptz NOT NULL DEFAULT now(),
  -- What the files contain, as it will be or has been written after them.
  manifest jsonb,
  written_at timestamptz,
  PRIMARY KEY (hour, number)
);
CREATE INDEX log_exports_unwritten ON log_exports (hour, number) WHERE written_at IS NULL;

-- Rows of closed hours, noted by the transactions that booked them.
CREATE TABLE late_log_rows (
  id uuid PRIMARY KEY,
  tenant_id integer NOT NULL,
  hour timestamptz NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT now(),
  -- The export that contains the row; NULL until it is decided.
  number integer
);

-- The last booked batch of a journal, whose rows another database may not have yet.
ALTER TABLE undelivered_scores ADD COLUMN request_ids uuid[] NOT NULL DEFAULT '{}';
