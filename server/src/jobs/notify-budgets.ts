import type { BudgetMeasure, RoleName } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import {
  type BudgetNames,
  describeBudget,
  describeBudgetSubject,
  formatBudgetAmount,
} from '#domain/allowance/describe-budget.ts';
import { findPeriodWindow } from '#domain/allowance/period.ts';
import { formatUtcTime } from '#domain/format-time.ts';
import { type Mailbox, mailWords } from '#mail/mailbox.ts';
import type { Job } from './job.ts';

interface NotifyDeps {
  readonly mailbox: Pick<Mailbox, 'putNotice'>;
  /** Public URL without a trailing slash. */
  readonly publicUrl: string;
  /** Whether an alert webhook is configured. */
  readonly sendsAlerts: boolean;
}

/** Number of days after which an unsent mail is outdated. */
const mailDays = 7;
const budgetsMax = 500;

/**
 * Sends a notice when a budget reaches a threshold, at most once per threshold, window and limit. After a raise, a
 * threshold is only sent again if its amount is higher than the amount in the last notice.
 */
export function createNotifyBudgets({ mailbox, publicUrl, sendsAlerts }: NotifyDeps): Job {
  return {
    name: 'notify-budgets',
    pattern: '*/30 * * * * *',
    async run(tx) {
      let notified = 0;
      for (const reached of await takeReached(tx)) {
        const name = describeBudget(reached.period, reached.measure, describeBudgetSubject(reached));
        const message = describeReached(reached, name);
        if (sendsAlerts) await insertAlert(tx, reached, message);
        for (const { email, name: recipient, role } of await selectRecipients(tx, reached)) {
          await mailbox.putNotice(tx, {
            effect: 'budget_notice',
            tenantId: reached.tenantId,
            to: email,
            subject: mailWords`${String(reached.percent)}% of the ${name} is used`,
            body: mailWords`Hello ${recipient},\n\n${message}`,
            action: 'View the budgets',
            link: { origin: publicUrl, path: role === 'user' ? '/dashboard/usage' : '/admin/budgets' },
            opensRole: role,
            expiresAt: new Date(Date.now() + mailDays * 86_400_000),
          });
        }
        notified++;
      }
      return { notified };
    },
  };
}

interface Candidate extends BudgetNames, Record<string, unknown> {
  readonly id: number;
  readonly tenantId: number;
  readonly teamId: number | null;
  readonly ownerId: number | null;
  readonly measure: BudgetMeasure;
  readonly period: Parameters<typeof describeBudget>[0];
  readonly startsAtMs: number | null;
  readonly timeZone: string;
  readonly nowMs: number;
  /** Start of the window; `null` if it has no start, as for a budget that never resets. */
  readonly windowStartMs: number | null;
  readonly windowStart: string;
  readonly settled: number;
  readonly limit: number;
  readonly action: 'refuse' | 'warn' | 'downgrade';
  readonly routeTo: string | null;
  readonly percent: number;
}

type Reached = Candidate & { readonly endMs: number };

/**
 * Selects budgets that have reached a threshold since the last notice. They count as notified when the transaction
 * commits.
 */
async function takeReached(tx: SystemDatabase): Promise<Reached[]> {
  const { rows } = await tx.execute<Candidate>(sql`
    SELECT * FROM (
      SELECT b.id, b.tenant_id AS "tenantId", coalesce(b.team_id, d.team_id, u.owner_team_id) AS "teamId",
        CASE WHEN u.account_kind = 'person' THEN u.id END AS "ownerId",
        b.measure, b.period, b.action, b.route_to AS "routeTo", b.model_pattern AS models,
        floor(extract(epoch FROM b.starts_at) * 1000)::float8 AS "startsAtMs", t.time_zone AS "timeZone",
        floor(extract(epoch FROM now()) * 1000)::float8 AS "nowMs",
        (extract(epoch FROM nullif(a.window_start, '-infinity')) * 1000)::float8 AS "windowStartMs",
        a.window_start::text AS "windowStart", a.settled::float8 AS settled,
        b.effective_limit::float8 AS limit,
        g.name AS team, u.name AS user, k.name AS "apiKey", s.title AS task, p.provider_instance_name AS instance,
        (SELECT max(reached) FROM unnest(b.thresholds) reached
          WHERE a.settled >= b.effective_limit::numeric * reached / 100) AS percent,
        n.window_start = a.window_start AS "isNoticed", n.percent AS noticed,
        coalesce(n.limit_amount, b.effective_limit)::numeric AS "noticedLimit"
      FROM (
        SELECT *, CASE WHEN raised_until > now() THEN greatest(raised_limit, limit_amount) ELSE limit_amount END AS effective_limit
        FROM budgets
      ) b
      JOIN tenants t ON t.id = b.tenant_id
      JOIN LATERAL (
        SELECT * FROM allowances a WHERE a.kind = kind_of_budget(b.measure) AND a.subject_id = b.id
        ORDER BY window_start DESC LIMIT 1
      ) a ON true
      LEFT JOIN budget_defaults d ON d.id = b.default_id
      LEFT JOIN teams g ON g.id = b.team_id
      LEFT JOIN api_keys k ON k.id = b.api_key_id
      LEFT JOIN users u ON u.id = coalesce(b.user_id, k.user_id)
      LEFT JOIN tasks s ON s.id = b.task_id
      LEFT JOIN llm_providers p ON p.id = b.llm_provider_id
      LEFT JOIN budget_notices n ON n.budget_id = b.id
      WHERE NOT b.is_retired AND a.settled > 0 AND a.last_used_at > now() - interval '1 day'
    ) seen WHERE percent IS NOT NULL AND NOT coalesce("isNoticed" AND noticed >= percent
      AND ("limit"::numeric <= "noticedLimit" OR "limit"::numeric * percent <= "noticedLimit" * noticed), false)
    ORDER BY id LIMIT ${budgetsMax}`);
  const reached = rows.flatMap((row) => {
    const period = { unit: row.period, startsAtMs: row.startsAtMs };
    const { startMs, endMs } = findPeriodWindow(period, row.nowMs, row.timeZone);
    return (row.windowStartMs ?? Number.NEGATIVE_INFINITY) === startMs ? [{ ...row, endMs }] : [];
  });
  for (const { id, limit, percent, windowStart } of reached)
    await tx.execute(sql`INSERT INTO budget_notices (budget_id, window_start, percent, limit_amount)
      VALUES (${id}, ${windowStart}::timestamptz, ${percent}, ${limit})
      ON CONFLICT (budget_id) DO UPDATE SET window_start = EXCLUDED.window_start, percent = EXCLUDED.percent,
        limit_amount = EXCLUDED.limit_amount`);
  return reached;
}

const consequences = {
  refuse: 'Requests that it does not cover are refused',
  warn: 'Requests continue',
} as const;

function describeReached(reached: Reached, name: string): string {
  const { action, endMs, limit, measure, routeTo, settled } = reached;
  const format = (amount: number) => formatBudgetAmount(measure, amount);
  const next =
    action === 'downgrade' ? `Requests that it does not cover are sent to ${routeTo}` : consequences[action];
  const reset = Number.isFinite(endMs) ? ` until it resets on ${formatUtcTime(new Date(endMs))}` : '';
  return `${format(settled)} of ${format(limit)} of the ${name} ${measure === 'usd' ? 'is spent' : 'are used'}. ${next}${reset}.`;
}

interface Recipient extends Record<string, unknown> {
  readonly email: string;
  readonly name: string;
  readonly role: RoleName;
}

/**
 * Returns the user of a budget and the administrators of its team, or of the user's teams if the budget has no team;
 * the tenant's administrators if these do not exist. Budgets of a service account belong to the team that owns it.
 */
async function selectRecipients(
  tx: SystemDatabase,
  { ownerId, teamId, tenantId }: Reached,
): Promise<Recipient[]> {
  const { rows } = await tx.execute<Recipient>(sql`
    WITH people AS (
      SELECT u.id, u.email, u.name, r.name AS role, coalesce(u.id = ${ownerId}::integer, false) OR EXISTS (
        SELECT FROM team_members m
        WHERE m.user_id = u.id AND m.role = 'admin' AND m.is_active AND CASE
          WHEN ${teamId}::integer IS NOT NULL THEN m.team_id = ${teamId}::integer
          ELSE EXISTS (
            SELECT FROM team_members own
            WHERE own.team_id = m.team_id AND own.user_id = ${ownerId}::integer AND own.is_active) END) AS "isConcerned"
      FROM users u JOIN roles r ON r.id = u.role_id
      WHERE u.tenant_id = ${tenantId} AND u.account_kind = 'person' AND u.is_active AND NOT u.is_blocked)
    SELECT email, name, role FROM people
    WHERE CASE WHEN EXISTS (SELECT FROM people WHERE "isConcerned") THEN "isConcerned" ELSE role <> 'user' END
    ORDER BY id LIMIT 100`);
  return rows;
}

async function insertAlert(
  tx: SystemDatabase,
  { id, limit, percent, tenantId, windowStart }: Reached,
  message: string,
): Promise<void> {
  const severity = percent >= 100 ? 'error' : 'warning';
  await tx.execute(sql`INSERT INTO alerts (banner_id, raised_at, event, severity, message, tenant_id)
    VALUES (${`budget:${id}:${windowStart}:${percent}:${limit}`}, now(), 'raised', ${severity}, ${message}, ${tenantId})
    ON CONFLICT DO NOTHING`);
}
