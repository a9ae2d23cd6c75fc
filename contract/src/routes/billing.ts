import { z } from 'zod';
import { instant } from '../ids.ts';
import { usd } from '../money.ts';
import { defineRoutes } from '../route.ts';
import { creditBalance } from './credits.ts';
import { tenant } from './tenants.ts';

export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'canceled'] as const;

export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A tenant without a plan has no subscription and is not billed. */
export const billedTenant = tenant.extend({
  ...creditBalance.shape,
  user_count: z.number().int(),
  plan_id: z.string().nullable(),
  plan_name: z.string().nullable(),
  subscription_status: z.enum(subscriptionStatuses).nullable(),
  trial_ends_at: instant.nullable(),
  period_ends_at: instant.nullable(),
  ends_at: instant.nullable(),
});

export type BilledTenant = z.infer<typeof billedTenant>;

/** Prices are in dollars. */
export const plan = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price_monthly: z.number(),
  price_yearly: z.number(),
  /** Does not count administrators. */
  user_limit: z.number().int(),
  admin_limit: z.number().int(),
});

export type Plan = z.infer<typeof plan>;

/** Months are calendar months in UTC. Monthly amounts are those of the current month. */
export const billingMetrics = z.object({
  tenants: z.object({
    total: z.number().int(),
    active: z.number().int(),
    trial: z.number().int(),
    suspended: z.number().int(),
  }),
  monthly_recurring_revenue: usd,
  /** Counts trials that end within 7 days. */
  trials_ending_soon: z.number().int(),
  past_due: z.number().int(),
  recharged_this_month: usd,
  spent_this_month: usd,
  canceled_this_month: z.number().int(),
  /** Percentage of the subscriptions at the start of the month. 0 if there were none. */
  churn_rate: z.number(),
});

export type BillingMetrics = z.infer<typeof billingMetrics>;

const operate = { method: 'GET', surface: 'management', permission: 'super_admin' } as const;
const open = { method: 'GET', surface: 'management', permission: 'anyone' } as const;

export const billingRoutes = defineRoutes({
  listPlans: {
    ...open,
    path: '/billing/plans',
    summary: 'List the available plans, smallest first',
    response: z.array(plan),
  },
  getPlan: {
    ...open,
    path: '/billing/plans/{id}',
    summary: 'Get one plan',
    request: { params: z.object({ id: z.string().max(100) }) },
    response: plan,
  },
  listBilledTenants: {
    ...operate,
    path: '/admin/billing/tenants',
    summary: 'List all tenants with their credits and plans',
    response: z.array(billedTenant),
  },
  getBillingMetrics: {
    ...operate,
    path: '/admin/billing/metrics',
    summary: 'Get revenue from subscriptions and credits, and revenue at risk',
    response: billingMetrics,
  },
  exportBilledTenants: {
    ...operate,
    path: '/admin/billing/export',
    summary: 'Export all tenants with plan, status and credits; one export at a time per tenant',
    response: z.string(),
    download: ['text/csv'],
  },
});
