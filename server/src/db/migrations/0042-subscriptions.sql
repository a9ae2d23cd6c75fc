-- Who a tenant is at a payment provider: its cards are kept there, under this name.
CREATE TABLE payment_customers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants ON DELETE CASCADE,
  provider text NOT NULL CHECK (provider IN ('stripe', 'simulated')),
  customer_id text NOT NULL,
  -- As people call them: 'visa 4242'. What the audit log tells of them.
  cards text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, provider),
  UNIQUE (provider, customer_id)
);
ALTER TABLE payment_customers ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON payment_customers TO sluice_tenant USING (tenant_id = current_tenant());
GRANT SELECT ON payment_customers TO sluice_tenant;

-- What a tenant has subscribed to, as its payment provider last said it. A tenant without a row is billed by nobody.
CREATE TABLE subscriptions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL UNIQUE REFERENCES tenants ON DELETE CASCADE,
  plan_id text NOT NULL REFERENCES plans,
  provider text NOT NULL CHECK (provider IN ('stripe', 'simulated')),
  customer_id text NOT NULL,
  -- NULL until the provider has made it, under started_at as idempotency key.
  subscription_id text,
  status text NOT NULL CHECK (status IN ('trialing', 'active', 'past_due', 'canceled')),
  has_payment_method boolean NOT NULL DEFAULT false,
  trial_ends_at timestamptz,
  period_ends_at timestamptz,
  -- When it ends, or has ended, if it was cancelled.
  ends_at timestamptz,
  -- Since when a renewal is not paid, and why the last attempt to take it failed.
  unpaid_since timestamptz,
  failure text,
  -- As exact as programs read it.
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When the provider was last asked how it stands.
  checked_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider, subscription_id)
);
CREATE INDEX subscriptions_checked ON subscriptions (checked_at);
ALTER TABLE subscriptions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON subscriptions TO sluice_tenant USING (tenant_id = current_tenant());
GRANT SELECT ON subscriptions TO sluice_tenant;

-- Of what a tenant's administrators were told: that this trial ends, or that this renewal failed. Each is told once.
CREATE TABLE subscription_notices (
  tenant_id integer NOT NULL REFERENCES tenants ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('trial_ends', 'renewal_failed')),
  happens_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, kind, happens_at)
);
ALTER TABLE subscription_notices ENABLE ROW LEVEL SECURITY;

-- Machinery alone writes when a provider was last asked.
CREATE OR REPLACE FUNCTION is_audited_column(name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT name <> ALL (ARRAY['id', 'tenant_id', 'created_at', 'changed_at', 'checked_at', 'token_version', 'last_used_at',
      'last_login_at'])
    AND name !~ '^deviation_(score|pace|recent)'
$$;
SELECT audit_table('payment_customers', 'payment_customer'), audit_table('subscriptions', 'subscription');

-- Events of subscriptions are about a customer, as those of payments are about an intent.
ALTER TABLE webhook_events ADD COLUMN customer_id text;

-- What the provider that moves no money keeps. Empty unless the installation is a demonstration.
CREATE TABLE simulated_customers (
  id text PRIMARY KEY,
  idempotency_key text NOT NULL UNIQUE,
  email text NOT NULL,
  name text NOT NULL,
  default_payment_method_id text
);
CREATE TABLE simulated_payment_methods (
  id text PRIMARY KEY,
  -- NULL until it is attached to one.
  customer_id text REFERENCES simulated_customers,
  -- The number of the test card.
  card_number text NOT NULL,
  is_authenticated boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX simulated_payment_methods_customer ON simulated_payment_methods (customer_id);
CREATE TABLE simulated_setup_intents (
  id text PRIMARY KEY,
  client_secret text NOT NULL UNIQUE,
  idempotency_key text NOT NULL UNIQUE,
  customer_id text REFERENCES simulated_customers,
  status text NOT NULL DEFAULT 'requires_payment_method'
    CHECK (status IN ('requires_payment_method', 'requires_action', 'succeeded')),
  failure text,
  payment_method_id text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE simulated_subscriptions (
  id text PRIMARY KEY,
  idempotency_key text NOT NULL UNIQUE,
  customer_id text NOT NULL REFERENCES simulated_customers,
  plan_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('trialing', 'active', 'past_due', 'canceled')),
  trial_ends_at timestamptz,
  period_ends_at timestamptz NOT NULL,
  is_canceled_at_period_end boolean NOT NULL DEFAULT false,
  ended_at timestamptz,
  unpaid_since timestamptz,
  failure text,
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE simulated_customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE simulated_payment_methods ENABLE ROW LEVEL SECURITY;
ALTER TABLE simulated_setup_intents ENABLE ROW LEVEL SECURITY;
ALTER TABLE simulated_subscriptions ENABLE ROW LEVEL SECURITY;
