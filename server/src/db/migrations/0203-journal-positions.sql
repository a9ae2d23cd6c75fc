-- How far each run of a worker has been written to the request log. The transaction that writes a batch moves the position
-- first, so that the batch is written once, however often and by whichever shipper it is repeated.
CREATE TABLE journal_positions (
  -- The UUIDv7 in the name of the run's folder.
  run uuid PRIMARY KEY,
  -- Segment of the last written record, and where the record begins in it.
  segment integer NOT NULL,
  "offset" integer NOT NULL,
  -- Positions of runs whose journals are lost are removed some time after their last move.
  moved_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
