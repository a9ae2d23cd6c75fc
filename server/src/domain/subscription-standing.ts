import type { SubscriptionStatus } from '@sluice/contract';

/** Number of days that a tenant can be used after a failed renewal. */
export const renewalGraceDays = 7;
const dayMs = 86_400_000;

export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly hasPaymentMethod: boolean;
  readonly trialEndsAt: Date | null;
  readonly endsAt: Date | null;
  readonly unpaidSince: Date | null;
}

export interface Standing {
  /**
   * Resulting tenant status. While a tenant is suspended, users can sign in and read data, but new requests are
   * rejected.
   */
  readonly tenantStatus: 'trial' | 'active' | 'suspended';
  /** Time of a past or upcoming suspension; `null` if none is due. */
  readonly suspendsAt: Date | null;
}

/** Determines the tenant status for a subscription (specification 3, section 9, and its settled points). */
export function findStanding(subscription: SubscriptionState, now: Date): Standing {
  const { status, trialEndsAt, endsAt, hasPaymentMethod } = subscription;
  switch (status) {
    case 'trialing':
      return { tenantStatus: 'trial', suspendsAt: endsAt ?? (hasPaymentMethod ? null : trialEndsAt) };
    case 'active':
      return { tenantStatus: 'active', suspendsAt: endsAt };
    case 'canceled':
      return { tenantStatus: 'suspended', suspendsAt: endsAt };
    case 'past_due': {
      const suspendsAt = findEndOfGrace(subscription);
      return { tenantStatus: suspendsAt && suspendsAt <= now ? 'suspended' : 'active', suspendsAt };
    }
  }
}

/**
 * Returns the end of the grace period. A trial that ends without a card has no grace period, because no payment was
 * due.
 */
function findEndOfGrace({ unpaidSince, trialEndsAt, hasPaymentMethod }: SubscriptionState): Date | null {
  if (!unpaidSince) return null;
  const isTrialUnpaid = trialEndsAt !== null && unpaidSince.getTime() - trialEndsAt.getTime() < dayMs;
  const graceDays = isTrialUnpaid && !hasPaymentMethod ? 0 : renewalGraceDays;
  return new Date(unpaidSince.getTime() + graceDays * dayMs);
}
