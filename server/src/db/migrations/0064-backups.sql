-- When `sluice backup` wrote a file, so that operators notice that it no longer does.
CREATE TABLE backups (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  finished_at timestamptz NOT NULL DEFAULT now(),
  bytes bigint NOT NULL,
  rows bigint NOT NULL
);
