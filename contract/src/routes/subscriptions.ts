import { z } from 'zod';
import { id, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { plan, subscriptionStatuses } from './billing.ts';
import { tenantStatuses } from './tenants.ts';

/** A tenant without a plan has no subscription and is not billed. */
export const subscription = z.object({
  plan: plan.nullable(),
  status: z.enum(subscriptionStatuses).nullable(),
  tenant_status: z.enum(tenantStatuses),
  has_payment_method: z.boolean(),
  trial_ends_at: instant.nullable(),
  /** Date of the next charge to the card. `null` if there will be none. */
  renews_at: instant.nullable(),
  /** When a canceled subscription ends or ended. */
  ends_at: instant.nullable(),
  /** When the tenant was suspended, or will be suspended if nothing changes. */
  suspends_at: instant.nullable(),
  /** When a renewal became unpaid, and why the charge failed. */
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
    summary: "Get the subscription of the caller's tenant and what happens next",
    response: subscription,
  },
  changeSubscription: {
    ...own,
    method: 'PUT',
    summary:
      'Choose a plan; withdraws a cancellation, or starts a subscription if the tenant does not have one',
    request: { body: planChoice },
    response: subscription,
  },
  cancelSubscription: {
    ...own,
    method: 'POST',
    path: '/billing/subscription/cancel',
    summary: 'Cancel at the end of the paid period, or immediately if a renewal is unpaid',
    response: subscription,
  },
  paySubscription: {
    ...own,
    method: 'POST',
    path: '/billing/subscription/pay',
    summary: 'Charge the unpaid amount to the default card now; has no effect if nothing is unpaid',
    response: subscription,
  },
  cancelTenantSubscription: {
    ...ofTenant,
    method: 'POST',
    path: '/admin/billing/tenants/{id}/cancel',
    summary: "Cancel a tenant's subscription at the end of the paid period",
    request: { params: tenantParams },
    response: subscription,
  },
  changeTenantSubscription: {
    ...ofTenant,
    method: 'PUT',
    path: '/admin/billing/tenants/{id}/subscription',
    summary: 'Assign a plan to a tenant, with its limits of users and administrators',
    request: { params: tenantParams, body: planChoice },
    response: subscription,
  },
});
