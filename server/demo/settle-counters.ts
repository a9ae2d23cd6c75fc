import type pg from 'pg';

/**
 * Sets the counters of limits, tasks, keys and credits from the rollups. The product updates these counters while
 * serving requests.
 */
export async function settleCounters(client: pg.ClientBase, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await client.query(setOtherLimits);
  await client.query(bringNearLimit, [now]);
  for (const [kind, { unit, amount, limit }] of Object.entries(userWindows))
    await client.query(settleUsers(kind, unit, amount, limit), [now]);
  await client.query(settleTasks);
  await client.query(setLastUses);
  await client.query(bookCredits, [now]);
}

const tokens = 'sum(input_tokens + cache_read_tokens + cache_write_tokens + output_tokens)';

/** Sets limits to the user's highest usage, with some headroom and rounded up. */
const setOtherLimits = `UPDATE users SET monthly_quota = ceil(months.most * 1.2 / 100000) * 100000,
    requests_per_hour = greatest(100, ceil(hours.most * 1.25 / 50) * 50)
  FROM (SELECT user_id, max(amount) AS most FROM (
      SELECT user_id, ${tokens} AS amount FROM usage_rollups GROUP BY user_id, date_trunc('month', bucket_start, 'UTC')) used GROUP BY 1) months
    JOIN (SELECT user_id, max(amount) AS most FROM (
      SELECT user_id, sum(requests) AS amount FROM usage_rollups GROUP BY user_id, date_trunc('hour', bucket_start, 'UTC')) used GROUP BY 1) hours USING (user_id)
  WHERE users.id = months.user_id AND users.daily_quota IS NOT NULL`;

/**
 * Reduces the monthly quota of one user per tenant to slightly above this month's usage, unless other months had more
 * usage.
 */
const bringNearLimit = `UPDATE users SET monthly_quota = ceil(busiest.amount * 1.07 / 1000) * 1000
  FROM (
    SELECT DISTINCT ON (used.tenant_id) used.user_id, used.amount
    FROM (SELECT tenant_id, user_id, date_trunc('month', bucket_start, 'UTC') AS month, ${tokens} AS amount,
        max(${tokens}) OVER (PARTITION BY user_id) AS most FROM usage_rollups GROUP BY 1, 2, 3) used
      JOIN users ON users.id = used.user_id AND role_id = 3
    WHERE month = date_trunc('month', $1::timestamptz, 'UTC') AND amount = most AND amount > 10000
    ORDER BY used.tenant_id, amount DESC
  ) busiest WHERE users.id = busiest.user_id`;

const userWindows = {
  requests_per_hour: { unit: 'hour', amount: 'sum(requests)', limit: 'requests_per_hour' },
  tokens_per_day: { unit: 'day', amount: tokens, limit: 'daily_quota' },
  tokens_per_month: { unit: 'month', amount: tokens, limit: 'monthly_quota' },
};

const settleUsers = (kind: string, unit: string, amount: string, limit: string) => `
  INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled, requests, last_used_at)
  SELECT users.tenant_id, '${kind}', users.id, date_trunc('${unit}', $1::timestamptz, 'UTC'), users.${limit}, used.amount, used.requests, used.last
  FROM users JOIN (
    SELECT user_id, ${amount} AS amount, sum(requests) AS requests, max(last_received_at) AS last FROM usage_rollups
    WHERE bucket_start >= date_trunc('${unit}', $1::timestamptz, 'UTC') GROUP BY 1
  ) used ON used.user_id = users.id
  WHERE used.requests > 0
  ON CONFLICT (kind, subject_id, window_start) DO UPDATE SET limit_amount = EXCLUDED.limit_amount, settled = EXCLUDED.settled,
    requests = EXCLUDED.requests, last_used_at = EXCLUDED.last_used_at`;

const settleTasks = `UPDATE allowances SET settled = used.amount, requests = used.requests, last_used_at = used.last
  FROM task_assignments assigned JOIN (
    SELECT task_id, user_id, ${tokens} AS amount, sum(requests) AS requests, max(last_received_at) AS last
    FROM usage_rollups GROUP BY 1, 2
  ) used USING (task_id, user_id)
  WHERE kind = 'task_tokens' AND subject_id = assigned.id`;

const setLastUses = `WITH last AS (SELECT user_id, api_key_id, max(last_received_at) AS at FROM usage_rollups GROUP BY 1, 2),
  signed_in AS (UPDATE users SET last_login_at = seen.at FROM (SELECT user_id, max(at) AS at FROM last GROUP BY 1) seen WHERE id = seen.user_id)
  UPDATE api_keys SET last_used_at = last.at FROM api_keys key LEFT JOIN last ON last.api_key_id = key.id WHERE api_keys.id = key.id`;

/**
 * Books the charges of service-managed instances by day and model, and sufficient credits from an administrator at the
 * start of each month, because the demo has no payments. Tenants with entries are not changed.
 */
const bookCredits = `WITH charged AS (
    SELECT tenant_id, llm_provider_id, provider_key, model, date_trunc('day', bucket_start, 'UTC') AS day,
      sum(company_llm_nano_usd)::bigint AS amount, sum(requests)::int AS requests, ${tokens}::bigint AS tokens
    FROM usage_rollups WHERE NOT EXISTS (SELECT FROM ledger_entries WHERE ledger_entries.tenant_id = usage_rollups.tenant_id)
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(company_llm_nano_usd) > 0
  ), drafts AS (
    SELECT tenant_id, 'deduction' AS kind, -amount AS amount, least(day + interval '1 day' - interval '1 ms', $1::timestamptz) AS at,
      CASE requests WHEN 1 THEN '1 request' ELSE requests || ' requests' END || ' to ' || model AS description,
      NULL::integer AS actor_id, llm_provider_id, provider_key, model, day AS minute, requests, tokens
    FROM charged
    UNION ALL
    SELECT tenant_id, 'adjustment', (ceil(sum(amount) * 1.2 / 50e9) * 50e9)::bigint, min(day), 'Credits for the month',
      (SELECT min(id) FROM users WHERE users.tenant_id = charged.tenant_id AND role_id < 3),
      NULL, NULL, NULL, NULL, NULL, NULL
    FROM charged GROUP BY tenant_id, date_trunc('month', day, 'UTC')
  ), balanced AS (
    SELECT *, sum(amount) OVER (PARTITION BY tenant_id ORDER BY at, kind, model ROWS UNBOUNDED PRECEDING)::bigint AS balance FROM drafts
  ), accounts AS (
    INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled)
    SELECT tenant_id, 'credits', tenant_id, '-infinity', sum(greatest(amount, 0)), -sum(least(amount, 0)) FROM drafts GROUP BY 1
    ON CONFLICT (kind, subject_id, window_start) DO UPDATE SET limit_amount = EXCLUDED.limit_amount, settled = EXCLUDED.settled
  )
  INSERT INTO ledger_entries (tenant_id, kind, amount, balance_before, balance_after, source, description, created_at,
    actor_id, llm_provider_id, provider_key, model, minute, requests, tokens)
  SELECT tenant_id, kind, amount, balance - amount, balance, format('demo/%s/%s/%s/%s', tenant_id, kind, model, at), description, at,
    actor_id, llm_provider_id, provider_key, model, minute, requests, tokens
  FROM balanced ORDER BY tenant_id, at, kind, model`;
