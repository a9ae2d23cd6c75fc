-- Keys of other gateways keep working after an import. Those gateways store the SHA-256 of a key, so `key_hash` is the
-- HMAC of that digest.
ALTER TABLE api_keys
  ADD COLUMN origin text NOT NULL DEFAULT 'sluice' CHECK (origin IN ('sluice', 'litellm', 'one_api'));
SELECT audit_table('api_keys', 'api_key'), watch_bound('api_keys');

-- Records the spend before an import in the current window, as if Sluice had settled it. Windows that requests have
-- already used are unchanged.
CREATE FUNCTION open_budget(of_budget integer, of_window timestamptz, spent bigint)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled, overrun)
  SELECT b.tenant_id, kind_of_budget(b.measure), b.id, of_window, limit_of_budget(b), spent,
    greatest(0, spent - coalesce(limit_of_budget(b), spent))
  FROM budgets b WHERE b.id = of_budget AND b.tenant_id = current_tenant() AND spent > 0
  ON CONFLICT (kind, subject_id, window_start) DO NOTHING
$$;
REVOKE EXECUTE ON FUNCTION open_budget(integer, timestamptz, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_budget(integer, timestamptz, bigint) TO sluice_tenant;
