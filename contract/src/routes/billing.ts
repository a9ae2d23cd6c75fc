import { z } from 'zod';
import { instant } from '../ids.ts';
import { usd } from '../money.ts';
import { defineRoutes } from '../route.ts';
import { creditBalance } from './credits.ts';
import { tenant } from './tenants.ts';

export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'canceled'] as const;

export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A tenant without a plan has no subscription: nobody bills it. */
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

/** What a tenant can subscribe to; prices in dollars. */
export const plan = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  price_monthly: z.number(),
  price_yearly: z.number(),
  /** Beside the administrators. */
  user_limit: z.number().int(),
  admin_limit: z.number().int(),
});

export type Plan = z.infer<typeof plan>;

/** Months are calendar months of UTC; the money of a month is that of the running one. */
export const billingMetrics = z.object({
  tenants: z.object({
    total: z.number().int(),
    active: z.number().int(),
    trial: z.number().int(),
    suspended: z.number().int(),
  }),
  /** What subscriptions that are paid bring in a month. */
  monthly_recurring_revenue: usd,
  /** Within 7 days. */
  trials_ending_soon: z.number().int(),
  past_due: z.number().int(),
  recharged_this_month: usd,
  spent_this_month: usd,
  canceled_this_month: z.number().int(),
  /** A percentage of the subscriptions that the month began with; 0 when there were none. */
  churn_rate: z.number(),
});

export type BillingMetrics = z.infer<typeof billingMetrics>;

const operate = { method: 'GET', surface: 'management', permission: 'super_admin' } as const;
const open = { method: 'GET', surface: 'management', permission: 'anyone' } as const;

export const billingRoutes = defineRoutes({
  listPlans: {
    ...open,
    path: '/billing/plans',
    summary: 'The plans that are on offer, the smallest first',
    response: z.array(plan),
  },
  getPlan: {
    ...open,
    path: '/billing/plans/{id}',
    summary: 'One plan',
    request: { params: z.object({ id: z.string().max(100) }) },
    response: plan,
  },
  listBilledTenants: {
    ...operate,
    path: '/admin/billing/tenants',
    summary: 'All tenants with their credits and their plans',
    response: z.array(billedTenant),
  },
  getBillingMetrics: {
    ...operate,
    path: '/admin/billing/metrics',
    summary: 'What subscriptions and credits bring, and what is about to be lost',
    response: billingMetrics,
  },
  exportBilledTenants: {
    ...operate,
    path: '/admin/billing/export',
    summary: 'All tenants with plan, status and credits, as a file; one export at a time for each tenant',
    response: z.string(),
    download: ['text/csv'],
  },
});
