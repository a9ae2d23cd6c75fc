-- Every change of a tenant's credits, in nano-dollars. `amount` is what it does to the balance. Only server/src/ledger
-- writes here, under the lock of the tenant's credits in `allowances`, so that ids and balances follow each other.
CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  kind text NOT NULL CHECK (kind IN ('recharge', 'deduction', 'refund', 'bonus', 'penalty', 'adjustment')),
  amount bigint NOT NULL,
  balance_before bigint NOT NULL,
  balance_after bigint NOT NULL,
  -- What brought the entry about: a payment, a console request, the first request of a deduction. Counts once.
  source text NOT NULL UNIQUE,
  description text NOT NULL,
  -- Who did it; NULL for the gate itself.
  actor_id integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  payment_method text,
  payment_reference text,
  refunded_entry_id bigint,
  -- Of a deduction: the requests of one instance and model that were received within one minute.
  llm_provider_id integer,
  provider_key text,
  model text,
  minute timestamptz,
  requests integer,
  tokens bigint,
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, refunded_entry_id) REFERENCES ledger_entries (tenant_id, id),
  CHECK (balance_after = balance_before + amount),
  CHECK (CASE
    WHEN kind IN ('recharge', 'refund', 'bonus') THEN amount > 0
    WHEN kind IN ('deduction', 'penalty') THEN amount < 0
    ELSE amount <> 0
  END),
  CHECK (refunded_entry_id IS NULL OR kind = 'refund')
);
CREATE INDEX ledger_entries_by_hand ON ledger_entries (tenant_id, id) WHERE kind <> 'deduction';
CREATE INDEX ledger_entries_refunds ON ledger_entries (refunded_entry_id) WHERE refunded_entry_id IS NOT NULL;

ALTER TABLE ledger_entries ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON ledger_entries TO sluice_tenant USING (tenant_id = current_tenant());
GRANT SELECT ON ledger_entries TO sluice_tenant;

CREATE FUNCTION refuse_to_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: what was booked stays booked, correct it by another entry', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite();

ALTER TABLE allowances ADD CONSTRAINT allowances_credits
  CHECK (kind <> 'credits' OR (limit_amount IS NOT NULL AND subject_id = tenant_id AND window_start = '-infinity'));

-- At commit a changed balance must be the one that the tenant's last entry says, whoever changed which of the two.
CREATE FUNCTION prove_credit_balance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  balance bigint;
  booked bigint;
BEGIN
  SELECT limit_amount - settled INTO balance FROM allowances
    WHERE kind = 'credits' AND subject_id = NEW.tenant_id AND window_start = '-infinity';
  SELECT balance_after INTO booked FROM ledger_entries WHERE tenant_id = NEW.tenant_id ORDER BY id DESC LIMIT 1;
  IF balance IS DISTINCT FROM booked THEN
    RAISE EXCEPTION 'tenant % has a balance of % and a ledger of %', NEW.tenant_id, balance, booked
      USING ERRCODE = 'data_corrupted';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_entries_prove AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION prove_credit_balance();
CREATE CONSTRAINT TRIGGER allowances_prove_credits AFTER UPDATE OF limit_amount, settled ON allowances
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.kind = 'credits' AND (NEW.limit_amount, NEW.settled) IS DISTINCT FROM (OLD.limit_amount, OLD.settled))
  EXECUTE FUNCTION prove_credit_balance();

-- What a request cost, and the rates it was charged at. A self-managed instance's cost is paid elsewhere.
ALTER TABLE request_logs
  ADD COLUMN price jsonb;

ALTER TABLE tenants
  ADD COLUMN low_balance_threshold bigint NOT NULL DEFAULT 10000000000 CHECK (low_balance_threshold >= 0),
  ADD COLUMN is_service_spending_allowed boolean NOT NULL DEFAULT true;
GRANT UPDATE (low_balance_threshold, is_service_spending_allowed) ON tenants TO sluice_tenant;
CREATE TRIGGER tenants_stamp_spending BEFORE UPDATE OF is_service_spending_allowed ON tenants
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER tenants_announce_spending AFTER UPDATE OF is_service_spending_allowed ON tenants
  FOR EACH ROW EXECUTE FUNCTION announce_change();

-- What holds for the whole installation; one row.
CREATE TABLE platform_settings (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- Added to what a service-managed instance costs.
  markup_percentage numeric(6, 2) NOT NULL DEFAULT 20 CHECK (markup_percentage BETWEEN 0 AND 1000),
  changed_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO platform_settings DEFAULT VALUES;
GRANT SELECT ON platform_settings TO sluice_tenant;

-- Prices that stand in for the list's: of one instance's model, or of a provider's model for every tenant.
CREATE TABLE price_overrides (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer,
  llm_provider_id integer,
  provider_key text,
  model text NOT NULL,
  price jsonb NOT NULL,
  created_by integer,
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (llm_provider_id, provider_key, model),
  FOREIGN KEY (tenant_id, llm_provider_id) REFERENCES llm_providers (tenant_id, id) ON DELETE CASCADE,
  CHECK ((llm_provider_id IS NULL) = (tenant_id IS NULL)),
  CHECK ((llm_provider_id IS NULL) <> (provider_key IS NULL))
);

ALTER TABLE price_overrides ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON price_overrides TO sluice_tenant
  USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
CREATE POLICY of_providers ON price_overrides FOR SELECT TO sluice_tenant USING (tenant_id IS NULL);
GRANT SELECT, INSERT, UPDATE, DELETE ON price_overrides TO sluice_tenant;

-- What people who sign in should know about the installation at the moment.
CREATE TABLE banners (
  id text PRIMARY KEY,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'error')),
  message text NOT NULL,
  -- The least role that is shown it.
  audience text NOT NULL CHECK (audience IN ('super_admin', 'admin', 'user')),
  raised_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON banners TO sluice_tenant;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['platform_settings', 'price_overrides'] LOOP
    EXECUTE format('CREATE INDEX %I ON %I (changed_at)', name || '_changed', name);
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %I FOR EACH ROW EXECUTE FUNCTION stamp_change()', name || '_stamp', name);
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT OR DELETE OR UPDATE ON %I FOR EACH ROW EXECUTE FUNCTION announce_change()',
      name || '_announce', name);
  END LOOP;
END $$;
