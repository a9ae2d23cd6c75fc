-- Every mail, written in the transaction of what causes it. Its link is sealed, and gone once the mail is sent or of no use.
CREATE TABLE mails (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  to_address text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  -- What the link is called.
  action text NOT NULL,
  sealed_link bytea,
  -- The role of the account that the link opens: only who may give that role may see the link.
  opens_role_id integer NOT NULL REFERENCES roles,
  status text NOT NULL CHECK (status IN ('queued', 'sent', 'failed', 'held', 'withdrawn')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  sent_at timestamptz,
  UNIQUE (tenant_id, id),
  CHECK (status NOT IN ('sent', 'withdrawn') OR sealed_link IS NULL)
);
CREATE INDEX mails_tenant ON mails (tenant_id, id DESC);
CREATE INDEX mails_links ON mails (expires_at) WHERE sealed_link IS NOT NULL;
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE status = 'queued';

CREATE TABLE invitations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id integer NOT NULL REFERENCES tenants,
  email text NOT NULL,
  role_id integer NOT NULL REFERENCES roles,
  token_hash bytea NOT NULL UNIQUE,
  -- An operator may be of another tenant; the name is that of the day.
  invited_by integer NOT NULL REFERENCES users,
  invited_by_name text NOT NULL,
  mail_id integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  accepted_by integer,
  cancelled_at timestamptz,
  UNIQUE (tenant_id, id),
  CHECK (accepted_at IS NULL OR cancelled_at IS NULL),
  FOREIGN KEY (tenant_id, mail_id) REFERENCES mails (tenant_id, id),
  FOREIGN KEY (tenant_id, accepted_by) REFERENCES users (tenant_id, id)
);
CREATE UNIQUE INDEX invitations_one_open ON invitations (tenant_id, lower(email)) WHERE accepted_at IS NULL AND cancelled_at IS NULL;

-- An invitation lives as long as the one who vouches for it may still give its role. The definer's rights see operators of other tenants.
CREATE FUNCTION invitation_status(invitation invitations) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT CASE
    WHEN invitation.accepted_at IS NOT NULL THEN 'accepted'
    WHEN invitation.cancelled_at IS NOT NULL THEN 'cancelled'
    WHEN invitation.expires_at > now() AND EXISTS (
      SELECT FROM users inviter
      WHERE inviter.id = invitation.invited_by AND inviter.is_active AND NOT inviter.is_blocked
        AND (inviter.role_id = 1 OR (inviter.role_id = 2 AND inviter.tenant_id = invitation.tenant_id AND invitation.role_id <> 1))
    ) THEN 'pending'
    ELSE 'expired'
  END $$;

-- Addresses are unique across tenants, of which a tenant's own queries see one.
CREATE FUNCTION is_address_taken(address text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS
$$ SELECT EXISTS (SELECT FROM users WHERE lower(email) = lower(address)) $$;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['mails', 'invitations'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_tenant ON %I TO sluice_tenant USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO sluice_tenant', name);
  END LOOP;
END $$;
