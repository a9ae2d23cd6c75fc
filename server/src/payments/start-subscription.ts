import { eq, ne, or, sql } from 'drizzle-orm';
import { paymentCustomers } from '#db/schema/payments.ts';
import { plans, subscriptions } from '#db/schema/subscriptions.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { PaymentProvider } from './payment-provider.ts';

/** Length of the trial of a new tenant (specification 3, section 9). */
export const trialDays = 14;

export interface SubscriptionStart {
  readonly tenantId: number;
  readonly planId: string;
  readonly provider: PaymentProvider['name'];
  /** Customer with attached cards, from `provider.createCustomer` and `provider.attachPaymentMethod`. */
  readonly customerId: string;
  /** Number of trial days; 0 charges the first month immediately. */
  readonly trialDays: number;
}

/**
 * Stores a tenant's subscription and the limits of the plan in the caller's transaction. Does nothing if a
 * subscription is running. Call `applySubscription` afterwards to create the subscription at the provider. If the
 * node dies before that, the job creates it.
 */
export async function startSubscription(tx: SystemDatabase, start: SubscriptionStart): Promise<void> {
  const { tenantId, planId, provider, customerId } = start;
  const [plan] = await tx.select().from(plans).where(eq(plans.id, planId));
  if (!plan) throw new Error(`there is no plan ${planId}`);
  const values = {
    planId,
    provider,
    customerId,
    subscriptionId: null,
    status: start.trialDays > 0 ? ('trialing' as const) : ('past_due' as const),
    hasPaymentMethod: false,
    // Payment providers have a precision of whole seconds.
    trialEndsAt:
      start.trialDays > 0 ? sql`date_trunc('second', now() + ${start.trialDays} * interval '1 day')` : null,
    periodEndsAt: null,
    endsAt: null,
    unpaidSince: null,
    failure: null,
    startedAt: sql`now()`,
    checkedAt: sql`now()`,
  };
  await tx
    .insert(paymentCustomers)
    .values({ tenantId, provider, customerId })
    .onConflictDoUpdate({
      target: [paymentCustomers.tenantId, paymentCustomers.provider],
      set: { customerId },
    });
  const [begun] = await tx
    .insert(subscriptions)
    .values({ tenantId, ...values })
    .onConflictDoUpdate({
      target: subscriptions.tenantId,
      set: values,
      // The first of two concurrent choices wins, so that a tenant is never billed twice.
      setWhere: or(eq(subscriptions.status, 'canceled'), ne(subscriptions.provider, provider)),
    })
    .returning({ tenantId: subscriptions.tenantId });
  if (!begun) return;
  await tx
    .update(tenants)
    .set({
      planId: plan.id,
      userLimit: plan.userLimit,
      adminLimit: plan.adminLimit,
      ...(start.trialDays > 0 ? { status: 'trial' } : {}),
    })
    .where(eq(tenants.id, tenantId));
}
