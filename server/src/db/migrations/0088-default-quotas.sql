-- Limits of new users whose creator names none; NULL is unlimited.
ALTER TABLE tenants
  ADD COLUMN default_daily_quota bigint DEFAULT 1000 CHECK (default_daily_quota >= 1),
  ADD COLUMN default_monthly_quota bigint DEFAULT 30000 CHECK (default_monthly_quota >= 1),
  ADD COLUMN default_requests_per_hour bigint DEFAULT 100 CHECK (default_requests_per_hour >= 1);
GRANT UPDATE (default_daily_quota, default_monthly_quota, default_requests_per_hour) ON tenants TO sluice_tenant;

SELECT audit_table('tenants', 'tenant');
