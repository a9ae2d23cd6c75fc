-- However a super administrator is lost (demoted, blocked, deactivated, deleted), another must remain to run the platform.
-- The lock lets one such change through at a time; the definer's rights see every tenant.
CREATE FUNCTION keep_a_super_admin() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7153882002);
  IF NOT EXISTS (SELECT FROM users WHERE role_id = 1 AND is_active AND NOT is_blocked) THEN
    RAISE EXCEPTION 'the platform needs an active super administrator'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_keep_a_super_admin';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER users_keep_a_super_admin AFTER DELETE OR UPDATE OF role_id, is_active, is_blocked ON users
  FOR EACH ROW WHEN (OLD.role_id = 1 AND OLD.is_active AND NOT OLD.is_blocked) EXECUTE FUNCTION keep_a_super_admin();
