-- {hashes, values}: by which words each person has asked of late, as hashes, and what the last of them said. By them
-- the steps of a loop of tools are told from what is asked anew, and a request without a word is judged as the one before.
ALTER TABLE users ADD COLUMN deviation_recent jsonb;

-- Machinery alone writes it.
CREATE OR REPLACE FUNCTION is_audited_column(name text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT name <> ALL (ARRAY['id', 'tenant_id', 'created_at', 'changed_at', 'token_version', 'last_used_at', 'last_login_at'])
    AND name !~ '^deviation_(score|pace|recent)'
$$;
