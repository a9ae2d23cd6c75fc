-- A budget of parallel requests limits how many are in flight. A request holds one of them until it ends and uses none, so
-- that nothing is left over and the limit has no window.
ALTER TABLE budgets
  DROP CONSTRAINT budgets_measure_check,
  DROP CONSTRAINT budgets_period_check,
  ADD CONSTRAINT budgets_measure_check CHECK (measure IN ('usd', 'tokens', 'requests', 'parallel_requests')),
  ADD CONSTRAINT budgets_period_check CHECK (period IN ('minute', 'hour', 'day', 'week', 'month', 'total', 'at_once')),
  ADD CONSTRAINT budgets_parallel_check CHECK ((measure = 'parallel_requests') = (period = 'at_once')
    AND (measure <> 'parallel_requests' OR starts_at IS NULL AND action <> 'warn'));
ALTER TABLE budget_defaults
  DROP CONSTRAINT budget_defaults_measure_check,
  DROP CONSTRAINT budget_defaults_period_check,
  ADD CONSTRAINT budget_defaults_measure_check CHECK (measure IN ('usd', 'tokens', 'requests', 'parallel_requests')),
  ADD CONSTRAINT budget_defaults_period_check
    CHECK (period IN ('minute', 'hour', 'day', 'week', 'month', 'total', 'at_once')),
  ADD CONSTRAINT budget_defaults_parallel_check CHECK ((measure = 'parallel_requests') = (period = 'at_once')
    AND (measure <> 'parallel_requests' OR action <> 'warn'));
ALTER TABLE allowances
  DROP CONSTRAINT allowances_kind_check,
  ADD CONSTRAINT allowances_kind_check CHECK (kind IN ('requests_per_hour', 'tokens_per_day', 'tokens_per_month', 'task_tokens',
    'credits', 'usd_budget', 'token_budget', 'request_budget', 'parallel_requests')) NOT VALID;
ALTER TABLE allowances VALIDATE CONSTRAINT allowances_kind_check;

CREATE OR REPLACE FUNCTION kind_of_budget(measure text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE measure WHEN 'usd' THEN 'usd_budget' WHEN 'tokens' THEN 'token_budget' WHEN 'requests' THEN 'request_budget'
    ELSE 'parallel_requests' END
$$;

-- What is used at once has no window that ends, like a total.
DO $$
BEGIN
  EXECUTE replace(pg_get_functiondef('apply_budget()'::regprocedure),
    'budget.period = ''total''', 'budget.period IN (''total'', ''at_once'')');
  EXECUTE replace(pg_get_functiondef('apply_budget_defaults(integer, integer, text, text)'::regprocedure),
    'b.period = ''total''', 'b.period IN (''total'', ''at_once'')');
END $$;
