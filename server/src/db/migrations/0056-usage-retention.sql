-- How long usage is kept: quarters of an hour and days alike, since a new time zone makes the days anew from them. Longer
-- than any range that a report shows.
ALTER TABLE tenants
  ADD COLUMN usage_retention_days integer NOT NULL DEFAULT 3650 CHECK (usage_retention_days BETWEEN 400 AND 3650);
GRANT UPDATE (usage_retention_days) ON tenants TO sluice_tenant;

SELECT audit_table('tenants', 'tenant');
