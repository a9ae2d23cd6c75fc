-- While a change of plan is on its way to the payment provider, seats are limited by the lower of both plans. A node
-- that dies in between leaves `pending_plan_until` to end that.
ALTER TABLE tenants
  ADD COLUMN pending_plan_id text REFERENCES plans (id),
  ADD COLUMN pending_plan_until timestamptz;
