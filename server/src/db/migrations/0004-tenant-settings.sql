-- What administrators change of their own tenant; the policy that lets them see it alone bounds the change too.
GRANT UPDATE (name, time_zone) ON tenants TO sluice_tenant;
