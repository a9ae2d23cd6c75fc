import type pg from 'pg';

/**
 * Adds budgets for the organization, a team, a provider and one user, and a default for each team. Their usage is
 * taken from the rollups of the current month. The budget of the team Platform is nearly used up. Tenants with
 * budgets are not changed.
 */
export async function seedBudgets(client: pg.ClientBase, nowMs: number): Promise<void> {
  const now = new Date(nowMs).toISOString();
  await client.query(insertBudgets, [now]);
  await client.query(insertDefaults, [now]);
  await client.query(dateDerivedBudgets);
  await client.query(settleBudgets, [now]);
  await client.query(allowUnpriced);
}

const monthOf = "date_trunc('month', $1::timestamptz, tenants.time_zone)";

const spentBy = (condition: string) => `(SELECT sum(cost_nano_usd) FROM usage_rollups used
  WHERE used.tenant_id = tenants.id AND used.bucket_start >= ${monthOf} AND ${condition})`;

/** Returns the limit of which `spent` is the given share, rounded to whole cents and at least one cent. */
const limitOf = (spent: string, share: number) =>
  `greatest(10000000, round(coalesce(${spent}, 0) / ${share} / 10000000) * 10000000)::bigint`;

/** Creation time of budgets. A budget that is older than the month counts all usage of the month. */
const beforeMonth = `${monthOf} - interval '1 day'`;

const insertBudgets = `INSERT INTO budgets (tenant_id, team_id, user_id, llm_provider_id, measure, period, limit_amount, action, created_at)
  SELECT tenants.id, made.team_id, made.user_id, made.llm_provider_id, 'usd', 'month', made.amount, made.action, ${beforeMonth}
  FROM tenants CROSS JOIN LATERAL (
    SELECT NULL::integer AS team_id, NULL::integer AS user_id, NULL::integer AS llm_provider_id, 'refuse' AS action,
      ${limitOf(spentBy('true'), 0.62)} AS amount
    UNION ALL SELECT teams.id, NULL, NULL, 'refuse', ${limitOf(spentBy('used.team_id = teams.id'), 0.93)}
    FROM teams WHERE teams.tenant_id = tenants.id AND teams.name = 'Platform'
    UNION ALL (SELECT NULL, NULL, instances.id, 'warn', ${limitOf(spentBy('used.llm_provider_id = instances.id'), 0.4)}
    FROM llm_providers instances WHERE instances.tenant_id = tenants.id AND instances.provider_instance_name LIKE 'Demo %'
    ORDER BY instances.id LIMIT 1)
    UNION ALL (SELECT NULL, users.id, NULL, 'refuse', ${limitOf(spentBy('used.user_id = users.id'), 0.71)}
    FROM users WHERE users.tenant_id = tenants.id AND users.email LIKE '%.example' ORDER BY users.id DESC LIMIT 1)
  ) made
  WHERE NOT EXISTS (SELECT FROM budgets WHERE budgets.tenant_id = tenants.id)
    AND EXISTS (SELECT FROM usage_rollups used WHERE used.tenant_id = tenants.id)`;

const insertDefaults = `INSERT INTO budget_defaults (tenant_id, team_id, measure, period, limit_amount, created_at)
  SELECT teams.tenant_id, teams.id, 'usd', 'month', 50000000000, ${beforeMonth}
  FROM teams JOIN tenants ON tenants.id = teams.tenant_id WHERE teams.name IN ('Platform', 'Product', 'Research')
  ON CONFLICT DO NOTHING`;

/** A budget counts from its creation, so it must be as old as its default. */
const dateDerivedBudgets = `UPDATE budgets SET created_at = given.created_at
  FROM budget_defaults given WHERE given.id = budgets.default_id AND budgets.created_at > given.created_at`;

const settleBudgets = `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, settled, requests, last_used_at)
  SELECT b.tenant_id, kind_of_budget(b.measure), b.id, ${monthOf}, limit_of_budget(b), used.amount, used.requests, used.last
  FROM budgets b JOIN tenants ON tenants.id = b.tenant_id CROSS JOIN LATERAL (
    SELECT coalesce(sum(cost_nano_usd), 0) AS amount, coalesce(sum(requests), 0) AS requests, max(last_received_at) AS last FROM usage_rollups r
    WHERE r.tenant_id = b.tenant_id AND r.bucket_start >= ${monthOf} AND (b.team_id IS NULL OR r.team_id = b.team_id)
      AND (b.user_id IS NULL OR r.user_id = b.user_id) AND (b.llm_provider_id IS NULL OR r.llm_provider_id = b.llm_provider_id)
  ) used
  WHERE used.requests > 0 AND b.measure = 'usd' AND b.period = 'month'
  ON CONFLICT DO NOTHING`;

/** Allows models without a known price, since visitors connect their own providers. */
const allowUnpriced = `UPDATE tenants SET unpriced_models = 'allow'
  WHERE unpriced_models = 'refuse' AND EXISTS (SELECT FROM usage_rollups used WHERE used.tenant_id = tenants.id)`;
