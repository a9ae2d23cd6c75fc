-- How often each effect on the outside was used in its current window, for all nodes. One row per subject, whose window is
-- replaced when it is over.
CREATE TABLE outbound_counts (
  effect text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('tenant', 'actor', 'recipient')),
  subject text NOT NULL,
  window_start timestamptz NOT NULL,
  used integer NOT NULL,
  PRIMARY KEY (effect, scope, subject)
);
CREATE INDEX outbound_counts_window ON outbound_counts (window_start);

-- Counts one use in every scope, or in none if one is used up: then that scope and the seconds until its window ends. The
-- definer's rights count a recipient across tenants. Rows are locked in the order of the scopes until the transaction ends.
CREATE FUNCTION take_outbound(effect_name text, scopes text[], subjects text[], window_seconds integer[], maxima integer[],
  OUT exceeded text, OUT wait_seconds integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  start timestamptz;
  taken integer;
BEGIN
  FOR place IN 1 .. cardinality(scopes) LOOP
    start := date_bin(make_interval(secs => window_seconds[place]), clock_timestamp(), 'epoch');
    INSERT INTO outbound_counts AS counted (effect, scope, subject, window_start, used)
    VALUES (effect_name, scopes[place], subjects[place], start, 0)
    ON CONFLICT (effect, scope, subject) DO UPDATE SET
      used = CASE WHEN counted.window_start >= EXCLUDED.window_start THEN counted.used ELSE 0 END,
      window_start = greatest(counted.window_start, EXCLUDED.window_start)
    RETURNING counted.used INTO taken;
    IF taken >= maxima[place] THEN
      exceeded := scopes[place];
      wait_seconds := greatest(1, ceil(extract(epoch FROM start - clock_timestamp()) + window_seconds[place]));
      RETURN;
    END IF;
  END LOOP;
  UPDATE outbound_counts counted SET used = used + 1
  FROM unnest(scopes, subjects) AS asked (scope, subject)
  WHERE counted.effect = effect_name AND counted.scope = asked.scope AND counted.subject = asked.subject;
END $$;
REVOKE EXECUTE ON FUNCTION take_outbound(text, text[], text[], integer[], integer[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_outbound(text, text[], text[], integer[], integer[]) TO sluice_tenant;

-- Which effect a mail is: a suspended tenant sends few of them. Nodes of 0.1.0 name none.
ALTER TABLE mails ADD COLUMN effect text;
