-- Budget that sent the request to another model. NULL for all other requests; the budget may have been deleted since.
ALTER TABLE request_logs ADD COLUMN downgraded_by_budget_id integer;
