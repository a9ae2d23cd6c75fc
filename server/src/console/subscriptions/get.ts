import type { Subscription } from '@sluice/contract';
import { toPlan } from '#console/billing/list-plans.ts';
import type { SystemDatabase } from '#db/system.ts';
import { findStanding } from '#domain/subscription-standing.ts';
import { notFound } from '#errors/console-error.ts';
import { findTenantSubscription } from './store.ts';

const nothing = {
  plan: null,
  status: null,
  has_payment_method: false,
  trial_ends_at: null,
  renews_at: null,
  ends_at: null,
  suspends_at: null,
  unpaid_since: null,
  failure: null,
};

/**
 * Returns a tenant's subscription as last reported by the provider, and the next event that happens without further
 * action.
 */
export async function getSubscription(system: SystemDatabase, tenantId: number): Promise<Subscription> {
  const row = await findTenantSubscription(system, tenantId);
  if (!row) throw notFound('Tenant');
  const { subscription, plan, tenantStatus } = row;
  if (!subscription || !plan) return { ...nothing, tenant_status: tenantStatus };
  const { status, hasPaymentMethod, endsAt, periodEndsAt } = subscription;
  const renews = (status === 'trialing' || status === 'active') && endsAt === null && hasPaymentMethod;
  return {
    plan: toPlan(plan),
    status,
    tenant_status: tenantStatus,
    has_payment_method: hasPaymentMethod,
    trial_ends_at: toInstant(subscription.trialEndsAt),
    renews_at: renews ? toInstant(periodEndsAt) : null,
    ends_at: toInstant(endsAt),
    suspends_at: toInstant(findStanding(subscription, new Date()).suspendsAt),
    unpaid_since: toInstant(subscription.unpaidSince),
    failure: subscription.failure,
  };
}

function toInstant(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
