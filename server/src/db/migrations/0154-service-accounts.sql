-- Service accounts are users that are not people: they have keys, grants, tasks and limits, and nothing that signs in.
ALTER TABLE users
  ADD COLUMN kind text NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'service')),
  -- The team that owns a service account; NULL for the tenant.
  ADD COLUMN owner_team_id integer,
  ADD COLUMN scores_deviation boolean NOT NULL DEFAULT true,
  ADD COLUMN deleted_at timestamptz,
  ADD CONSTRAINT users_person_has_no_owner CHECK (kind = 'service' OR (owner_team_id IS NULL AND deleted_at IS NULL)),
  -- Only the tenant owns an account with the role admin (2); none has the role super_admin (1).
  ADD CONSTRAINT users_service_role CHECK (kind = 'person' OR role_id = 3 OR (role_id = 2 AND owner_team_id IS NULL)),
  ADD CONSTRAINT users_service_never_signs_in
    CHECK (kind = 'person' OR (last_login_at IS NULL AND NOT has_second_factor AND provisioned_by IS NULL)),
  ADD CONSTRAINT users_deleted_is_inactive CHECK (deleted_at IS NULL OR NOT is_active),
  ADD FOREIGN KEY (tenant_id, owner_team_id) REFERENCES teams (tenant_id, id) ON DELETE SET NULL (owner_team_id);
CREATE UNIQUE INDEX users_service_account_name ON users (tenant_id, name_key(name)) WHERE kind = 'service' AND deleted_at IS NULL;
CREATE INDEX users_owner_team ON users (tenant_id, owner_team_id) WHERE owner_team_id IS NOT NULL;

CREATE TRIGGER users_stamp_service_account BEFORE UPDATE OF scores_deviation ON users
  FOR EACH ROW EXECUTE FUNCTION stamp_change();
CREATE TRIGGER users_announce_service_account AFTER UPDATE OF scores_deviation ON users
  FOR EACH ROW EXECUTE FUNCTION announce_change();
SELECT audit_table('users', 'user'), watch_bound('users');

-- The console offers no way to any of these; this holds if new code does.
CREATE FUNCTION refuse_service_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM users WHERE id = NEW.user_id AND kind = 'service') THEN
    RAISE EXCEPTION 'a service account cannot sign in'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_service_never_signs_in';
  END IF;
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION refuse_service_account() FROM PUBLIC;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['sessions', 'password_resets', 'sign_in_tickets', 'totp_authenticators', 'passkeys', 'recovery_codes', 'user_identities'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE INSERT OR UPDATE OF user_id ON %I FOR EACH ROW EXECUTE FUNCTION refuse_service_account()',
      name || '_refuse_service_account', name);
  END LOOP;
END $$;

CREATE FUNCTION keep_service_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a service account has no password and stays a service account'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'users_service_never_signs_in';
END $$;
CREATE TRIGGER users_keep_service_account BEFORE UPDATE OF kind, password_hash ON users
  FOR EACH ROW WHEN (OLD.kind <> NEW.kind OR (OLD.kind = 'service' AND OLD.password_hash <> NEW.password_hash))
  EXECUTE FUNCTION keep_service_account();
