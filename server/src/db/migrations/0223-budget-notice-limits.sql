-- The limit to which the last notified threshold belongs; NULL for notices before this migration.
ALTER TABLE budget_notices ADD COLUMN limit_amount bigint;
