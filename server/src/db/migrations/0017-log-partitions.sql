-- Partitions of the log are made and repaired by server/src/db/log-partitions, at each start and by a job.
DROP FUNCTION make_log_partitions(integer);

-- Rows on their way out of a default partition: up to which id they have been copied, and for which days of UTC
-- (counted from 1970) there are tables that wait to become partitions.
CREATE TABLE stray_moves (
  parent text PRIMARY KEY,
  copied_to uuid,
  days integer[] NOT NULL DEFAULT '{}'
);

-- What was written in the default partition since its move began, and so has to be copied (again).
CREATE TABLE stray_changes (
  parent text NOT NULL,
  id uuid NOT NULL
);

-- Stands on a default partition only while its rows are moved; its argument is the parent's name.
CREATE FUNCTION note_stray_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO stray_changes (parent, id) VALUES (TG_ARGV[0], COALESCE(NEW.id, OLD.id));
  RETURN NULL;
END $$;
