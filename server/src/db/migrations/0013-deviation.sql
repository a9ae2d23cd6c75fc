-- How far each person strays from their tasks, from 0 to 1, as it was when their last request that counted came in.
ALTER TABLE users
  ADD COLUMN deviation_score double precision NOT NULL DEFAULT 0 CHECK (deviation_score BETWEEN 0 AND 1),
  ADD COLUMN deviation_scored_at timestamptz,
  -- {hourStartMs, requests, usual}: how often the person asks, in the running hour and in their usual one.
  ADD COLUMN deviation_pace jsonb;
-- Room in the page for the next version of a row that changes with every batch of its person's requests.
ALTER TABLE users SET (fillfactor = 70);

-- NULL is the default policy.
ALTER TABLE tenants ADD COLUMN deviation_policy jsonb;
GRANT UPDATE (deviation_policy) ON tenants TO sluice_tenant;
CREATE TRIGGER tenants_stamp_policy BEFORE UPDATE OF deviation_policy ON tenants
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER tenants_announce_policy AFTER UPDATE OF deviation_policy ON tenants
  FOR EACH ROW EXECUTE FUNCTION announce_change();

-- What the change of the score is made of; the lines add up to deviation_score_delta.
ALTER TABLE request_logs ADD COLUMN deviation_receipts jsonb;

-- What happened to a person's standing that is no request: an automatic block, one that the brake held back, and what
-- administrators did. A block's own request is named; `actor_id` NULL is the policy itself.
CREATE TABLE score_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('block', 'spare', 'unblock', 'appeal_grant', 'appeal_deny')),
  actor_id integer,
  request_id uuid,
  score_before double precision NOT NULL,
  score_after double precision NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX score_events_user ON score_events (user_id, id DESC);
CREATE INDEX score_events_tenant ON score_events (tenant_id, created_at);

-- What people answer to a block; once for each.
CREATE TABLE appeals (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  user_id integer NOT NULL,
  score_event_id bigint NOT NULL UNIQUE,
  message text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'granted', 'denied')),
  note text,
  decided_by integer,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'open') = (decided_at IS NULL)),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, score_event_id) REFERENCES score_events (tenant_id, id)
);
CREATE INDEX appeals_tenant ON appeals (tenant_id, id DESC);

-- What administrators say a prompt asked for; with the prompt, which outlives its log row as a row to learn from.
CREATE TABLE intent_corrections (
  request_id uuid PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  prompt text NOT NULL,
  intent_before text,
  intent text NOT NULL,
  corrected_by integer NOT NULL,
  corrected_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX intent_corrections_tenant ON intent_corrections (tenant_id, corrected_at);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['score_events', 'appeals', 'intent_corrections'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', name);
  END LOOP;
END $$;
GRANT SELECT, INSERT ON score_events TO sluice_tenant;
GRANT SELECT, INSERT, UPDATE ON appeals, intent_corrections TO sluice_tenant;

-- What only one tenant's people are to see; NULL is for all.
ALTER TABLE banners ADD COLUMN tenant_id integer REFERENCES tenants;
ALTER TABLE banners ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON banners FOR SELECT TO sluice_tenant USING (tenant_id IS NULL OR tenant_id = current_tenant());
