import { type BillingMetrics, toUsd } from '@sluice/contract';
import { count, eq, gte, sql } from 'drizzle-orm';
import { ledgerEntries } from '#db/schema/payments.ts';
import { plans, subscriptions } from '#db/schema/subscriptions.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { SystemDatabase } from '#db/system.ts';

const monthStart = sql`date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

export async function getBillingMetrics(system: SystemDatabase): Promise<BillingMetrics> {
  const tenantCounts = await countTenants(system);
  const subscribed = await readSubscriptions(system);
  const moved = await readMonth(system);
  const { canceled, standing } = subscribed;
  return {
    tenants: tenantCounts,
    monthly_recurring_revenue: toUsd(BigInt(subscribed.revenue ?? 0)),
    trials_ending_soon: subscribed.trialsEndingSoon,
    past_due: subscribed.pastDue,
    recharged_this_month: toUsd(BigInt(moved?.recharged ?? 0)),
    spent_this_month: toUsd(BigInt(moved?.spent ?? 0)),
    canceled_this_month: canceled,
    churn_rate: standing === 0 ? 0 : Math.round((1_000 * subscribed.lost) / standing) / 10,
  };
}

async function countTenants(system: SystemDatabase): Promise<BillingMetrics['tenants']> {
  const rows = await system
    .select({ status: tenants.status, people: count() })
    .from(tenants)
    .groupBy(tenants.status);
  const of = (status: string) => rows.find((row) => row.status === status)?.people ?? 0;
  const counts = { active: of('active'), trial: of('trial'), suspended: of('suspended') };
  return { total: counts.active + counts.trial + counts.suspended, ...counts };
}

async function readSubscriptions(system: SystemDatabase) {
  const { status, startedAt, endsAt, trialEndsAt } = subscriptions;
  const isCanceledThisMonth = sql`${status} = 'canceled' AND ${endsAt} >= ${monthStart}`;
  const isOfBefore = sql`${startedAt} < ${monthStart}`;
  const countOf = (condition: ReturnType<typeof sql>) =>
    sql<number>`count(*) FILTER (WHERE ${condition})`.mapWith(Number);
  const [row] = await system
    .select({
      revenue: sql<string | null>`sum(${plans.priceMonthly}) FILTER (WHERE ${status} = 'active')`,
      pastDue: countOf(sql`${status} = 'past_due'`),
      trialsEndingSoon: countOf(
        sql`${status} = 'trialing' AND ${trialEndsAt} BETWEEN now() AND now() + interval '7 days'`,
      ),
      canceled: countOf(isCanceledThisMonth),
      lost: countOf(sql`${isCanceledThisMonth} AND ${isOfBefore}`),
      standing: countOf(sql`${isOfBefore} AND (${status} <> 'canceled' OR ${endsAt} >= ${monthStart})`),
    })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId));
  if (!row) throw new Error('the database returned no subscription counts');
  return row;
}

async function readMonth(system: SystemDatabase) {
  const { kind, amount, createdAt } = ledgerEntries;
  const [row] = await system
    .select({
      recharged: sql<string | null>`sum(${amount}) FILTER (WHERE ${kind} = 'recharge')`,
      spent: sql<string | null>`-sum(${amount}) FILTER (WHERE ${kind} = 'deduction')`,
    })
    .from(ledgerEntries)
    .where(gte(createdAt, monthStart));
  return row;
}
