/**
 * Kind of each audited bigint column, by name: money in nano-dollars, a limit in the measure of its budget (nano-dollars
 * if that is `usd`), or a count.
 */
export const auditedAmounts: Readonly<Record<string, 'money' | 'limit' | 'count'>> = {
  amount: 'money',
  balance_before: 'money',
  balance_after: 'money',
  low_balance_threshold: 'money',
  limit_amount: 'limit',
  raised_limit: 'limit',
  daily_quota: 'count',
  monthly_quota: 'count',
  requests_per_hour: 'count',
  default_daily_quota: 'count',
  default_monthly_quota: 'count',
  default_requests_per_hour: 'count',
  token_limit: 'count',
  tokens: 'count',
  refunded_entry_id: 'count',
  sign_count: 'count',
  last_step: 'count',
};
