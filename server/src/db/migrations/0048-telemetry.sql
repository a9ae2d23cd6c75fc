-- What operators are shown of a running installation, and what they are told of it.

-- The calls to providers of a request, where there was more than one that was answered.
ALTER TABLE request_logs ADD COLUMN provider_calls jsonb;

-- How each job last went, on whatever node. `figures` is what it has found out, such as the tenants whose ledger is wrong.
CREATE TABLE job_runs (
  name text PRIMARY KEY,
  started_at timestamptz NOT NULL,
  duration_ms real NOT NULL,
  succeeded_at timestamptz,
  failures bigint NOT NULL DEFAULT 0,
  last_error text,
  figures jsonb NOT NULL DEFAULT '{}'
);

-- What a node says of itself every few seconds; one that has not for a while is gone.
CREATE TABLE node_reports (
  name text PRIMARY KEY,
  seen_at timestamptz NOT NULL DEFAULT now(),
  report jsonb NOT NULL
);

-- What keeps a provider's instance from serving until somebody acts: its key is refused, or its account has no credit.
CREATE TABLE provider_incidents (
  llm_provider_id integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('provider_auth_failed', 'provider_out_of_credit')),
  tenant_id integer NOT NULL REFERENCES tenants,
  opened_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (llm_provider_id, kind),
  FOREIGN KEY (tenant_id, llm_provider_id) REFERENCES llm_providers (tenant_id, id) ON DELETE CASCADE
);

-- What the alert webhook is told: that a banner went up, and that it came down. A banner that goes up again is another one.
CREATE TABLE alerts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  banner_id text NOT NULL,
  raised_at timestamptz NOT NULL,
  event text NOT NULL CHECK (event IN ('raised', 'ended')),
  severity text NOT NULL,
  message text NOT NULL,
  tenant_id integer,
  noted_at timestamptz NOT NULL DEFAULT now(),
  attempts smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  -- Taken by the receiver, or given up.
  ended_at timestamptz,
  is_delivered boolean NOT NULL DEFAULT false,
  UNIQUE (banner_id, raised_at, event)
);
CREATE INDEX alerts_due ON alerts (next_attempt_at) WHERE ended_at IS NULL;
