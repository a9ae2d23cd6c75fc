-- A provider that is no longer shared signs in only users of its own tenant.
CREATE FUNCTION end_unshared_sessions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL AND tenant_id <> NEW.tenant_id
    AND user_identity_id IN (SELECT id FROM user_identities WHERE identity_provider_id = NEW.id);
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION end_unshared_sessions() FROM PUBLIC;
CREATE TRIGGER identity_providers_end_sessions_unshared AFTER UPDATE OF is_shared ON identity_providers
  FOR EACH ROW WHEN (OLD.is_shared AND NOT NEW.is_shared) EXECUTE FUNCTION end_unshared_sessions();

-- A tenant administrator may have confirmed an identity of a user who then becomes a super administrator. Only a super
-- administrator may confirm identities of the new role.
CREATE FUNCTION forget_confirmations() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE user_identities SET confirmed_by = NULL
  WHERE tenant_id = NEW.tenant_id AND user_id = NEW.id AND confirmed_by IS NOT NULL;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION forget_confirmations() FROM PUBLIC;
CREATE TRIGGER users_forget_confirmations AFTER UPDATE OF role_id ON users
  FOR EACH ROW WHEN (NEW.role_id = 1 AND OLD.role_id <> 1) EXECUTE FUNCTION forget_confirmations();

UPDATE user_identities i SET confirmed_by = NULL
FROM users u
WHERE u.id = i.user_id AND u.role_id = 1 AND i.confirmed_by IS NOT NULL
  AND NOT EXISTS (SELECT FROM users c WHERE c.id = i.confirmed_by AND c.role_id = 1);
