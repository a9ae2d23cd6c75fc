-- Release 0.1.0 selects the unqualified column `kind` of a subquery joined with `users`. During an upgrade, this query
-- would be ambiguous.
ALTER TABLE users RENAME COLUMN kind TO account_kind;

CREATE OR REPLACE FUNCTION refuse_service_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM users WHERE id = NEW.user_id AND account_kind = 'service') THEN
    RAISE EXCEPTION 'a service account cannot sign in'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'users_service_never_signs_in';
  END IF;
  RETURN NEW;
END $$;
