-- The plan whose limits a tenant was given; NULL where a super administrator has set its own.
ALTER TABLE tenants
  ADD COLUMN plan_id text REFERENCES plans,
  -- Shown to the people of the tenant.
  ADD COLUMN suspension_reason text,
  ADD COLUMN suspended_at timestamptz,
  -- The super administrator who did it, who alone ends it; NULL for what follows from a subscription.
  ADD COLUMN suspended_by integer,
  -- What the end of the suspension leads back to.
  ADD COLUMN status_before_suspension text CHECK (status_before_suspension IN ('trial', 'active'));

-- Whoever suspends a tenant, be it a person, a job or a statement by hand: its time and its way back are noted, and
-- nothing of a suspension outlives it.
CREATE FUNCTION note_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'suspended' THEN
    NEW.suspension_reason := NULL;
    NEW.suspended_at := NULL;
    NEW.suspended_by := NULL;
    NEW.status_before_suspension := NULL;
  ELSIF TG_OP = 'INSERT' OR OLD.status <> 'suspended' THEN
    NEW.suspended_at := now();
    NEW.status_before_suspension := CASE WHEN TG_OP = 'UPDATE' THEN OLD.status ELSE 'active' END;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tenants_note_suspension BEFORE INSERT OR UPDATE OF status, suspension_reason ON tenants
  FOR EACH ROW EXECUTE FUNCTION note_suspension();

CREATE TRIGGER tenants_stamp_suspension BEFORE UPDATE OF suspension_reason ON tenants
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER tenants_announce_suspension AFTER UPDATE OF suspension_reason ON tenants
  FOR EACH ROW EXECUTE FUNCTION announce_change();
SELECT audit_table('tenants', 'tenant');

-- Strangers send keys too, when they sign up.
ALTER TABLE idempotency_keys
  DROP CONSTRAINT idempotency_keys_pkey,
  ALTER COLUMN tenant_id DROP NOT NULL,
  ALTER COLUMN actor_id DROP NOT NULL,
  ADD UNIQUE NULLS NOT DISTINCT (tenant_id, actor_id, route, key);
