-- Of a vendor that a super administrator has added: the root of its API, which speaks OpenAI's protocol. NULL for those
-- that come with the product, and for those that no version can talk to yet.
ALTER TABLE provider_registry ADD COLUMN api_endpoint text;

-- Whoever adds a vendor is in the audit log with where it is.
SELECT audit_table('provider_registry', 'registry_entry');
