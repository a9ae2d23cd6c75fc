-- Signups whose person has not confirmed the address yet: no tenant and no user exists before. Several may wait for one
-- address, since each is somebody's claim of it; a user with the address ends them all.
CREATE TABLE signups (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  company_name text NOT NULL,
  password_hash text NOT NULL,
  plan_id text NOT NULL,
  payment_provider text NOT NULL,
  customer_id text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  mail_id integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX signups_email ON signups (lower(email), id);
CREATE INDEX signups_expiry ON signups (expires_at);

-- Mails to people without an account belong to no tenant.
ALTER TABLE mails ALTER COLUMN tenant_id DROP NOT NULL;

CREATE FUNCTION end_signups_of_address() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM signups WHERE lower(email) = lower(NEW.email);
  RETURN NULL;
END $$;
CREATE TRIGGER users_end_signups AFTER INSERT OR UPDATE OF email ON users FOR EACH ROW EXECUTE FUNCTION end_signups_of_address();
