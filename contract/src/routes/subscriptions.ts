import { z } from 'zod';
import { id, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { plan, subscriptionStatuses } from './billing.ts';
import { tenantStatuses } from './tenants.ts';

/** A tenant without a plan has no subscription: nobody bills it. */
export const subscription = z.object({
  plan: plan.nullable(),
  status: z.enum(subscriptionStatuses).nullable(),
  tenant_status: z.enum(tenantStatuses),
  has_payment_method: z.boolean(),
  trial_ends_at: instant.nullable(),
  /** When the next month is taken from the card; `null` where none is. */
  renews_at: instant.nullable(),
  /** When it ends or has ended, if it was cancelled. */
  ends_at: instant.nullable(),
  /** When the tenant is suspended if nobody does anything, or since when it is. */
  suspends_at: instant.nullable(),
  /** Since when a renewal is not paid, and why the card was not charged. */
  unpaid_since: instant.nullable(),
  failure: z.string().nullable(),
});

export type Subscription = z.infer<typeof subscription>;

const planChoice = z.strictObject({ plan_id: z.string().min(1).max(100) });
const own = { surface: 'management', permission: 'credits.write', path: '/billing/subscription' } as const;
const ofTenant = { surface: 'management', permission: 'super_admin' } as const;
const tenantParams = z.object({ id });

export const subscriptionsRoutes = defineRoutes({
  getSubscription: {
    ...own,
    method: 'GET',
    permission: 'credits.read',
    summary: "What the caller's tenant has subscribed to, and what happens if nothing is done",
    response: subscription,
  },
  changeSubscription: {
    ...own,
    method: 'PUT',
    summary: 'Choose a plan; takes a cancellation back, and begins a subscription where none runs',
    request: { body: planChoice },
    response: subscription,
  },
  cancelSubscription: {
    ...own,
    method: 'POST',
    path: '/billing/subscription/cancel',
    summary: 'Cancel at the end of what is paid, or at once where a renewal is not paid',
    response: subscription,
  },
  paySubscription: {
    ...own,
    method: 'POST',
    path: '/billing/subscription/pay',
    summary: 'Take what is not paid from the default card now; nothing where all is paid',
    response: subscription,
  },
  cancelTenantSubscription: {
    ...ofTenant,
    method: 'POST',
    path: '/admin/billing/tenants/{id}/cancel',
    summary: "Cancel a tenant's subscription at the end of what is paid",
    request: { params: tenantParams },
    response: subscription,
  },
  changeTenantSubscription: {
    ...ofTenant,
    method: 'PUT',
    path: '/admin/billing/tenants/{id}/subscription',
    summary: 'Put a tenant on a plan, with its limits of users and administrators',
    request: { params: tenantParams, body: planChoice },
    response: subscription,
  },
});
