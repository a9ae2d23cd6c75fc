-- Whether users may replace their own API key; otherwise only an administrator may.
ALTER TABLE tenants ADD COLUMN users_regenerate_keys boolean NOT NULL DEFAULT false;
GRANT UPDATE (users_regenerate_keys) ON tenants TO sluice_tenant;

SELECT audit_table('tenants', 'tenant');
