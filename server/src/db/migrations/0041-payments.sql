-- One payment of a tenant for its credits. What it did to the credits is in the ledger, by the payment's reference.
CREATE TABLE payments (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants ON DELETE CASCADE,
  -- Whose object the intent is: 'stripe', or 'simulated', which moves no money.
  provider text NOT NULL CHECK (provider IN ('stripe', 'simulated')),
  -- NULL until the provider has made it, under this row's id as idempotency key.
  intent_id text,
  amount_nano_usd bigint NOT NULL CHECK (amount_nano_usd > 0),
  description text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed', 'canceled')),
  -- Why the last attempt to pay failed, as the provider says it.
  failure text,
  created_by integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the provider was last asked how it stands.
  checked_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider, intent_id)
);
-- What the job looks for that finds payments of which no webhook has told.
CREATE INDEX payments_checked ON payments (checked_at) WHERE status IN ('pending', 'succeeded');
CREATE INDEX payments_tenant ON payments (tenant_id, id);
ALTER TABLE payments ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON payments TO sluice_tenant USING (tenant_id = current_tenant());
GRANT SELECT ON payments TO sluice_tenant;

-- What the payment provider has told, once for each of its events. Only the platform's operators see them.
CREATE TABLE webhook_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id text NOT NULL UNIQUE,
  event_type text NOT NULL,
  -- The payment that it is about; NULL where it is about none.
  intent_id text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'completed', 'failed')),
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  processed_at timestamptz,
  -- Attempts after the first.
  retry_count integer NOT NULL DEFAULT 0,
  -- `{at, error}` of each attempt, oldest first.
  attempts jsonb NOT NULL DEFAULT '[]',
  next_attempt_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_events_due ON webhook_events (next_attempt_at) WHERE status <> 'completed';
CREATE INDEX webhook_events_created ON webhook_events (created_at);
ALTER TABLE webhook_events ENABLE ROW LEVEL SECURITY;

-- The provider that moves no money keeps its intents here. Empty unless the installation is a demonstration.
CREATE TABLE simulated_intents (
  id text PRIMARY KEY,
  client_secret text NOT NULL,
  idempotency_key text UNIQUE,
  amount_cents bigint NOT NULL,
  status text NOT NULL DEFAULT 'requires_payment_method'
    CHECK (status IN ('requires_payment_method', 'requires_action', 'succeeded')),
  failure text,
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE simulated_intents ENABLE ROW LEVEL SECURITY;
