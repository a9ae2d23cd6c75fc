import type { SubscriptionStatus } from '@sluice/contract';

/** For how long a tenant works on after a renewal failed. */
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
  /** What it makes of the tenant: suspended = people sign in and read, new requests are refused. */
  readonly tenantStatus: 'trial' | 'active' | 'suspended';
  /** When the tenant is suspended if nobody does anything, or since when it is; `null` = it goes on. */
  readonly suspendsAt: Date | null;
}

/** What a subscription means for its tenant (specification 3, section 9, and its settled points). */
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

/** A trial that ends without a card has no grace: there was never anything to take a payment from. */
function findEndOfGrace({ unpaidSince, trialEndsAt, hasPaymentMethod }: SubscriptionState): Date | null {
  if (!unpaidSince) return null;
  const isTrialUnpaid = trialEndsAt !== null && unpaidSince.getTime() - trialEndsAt.getTime() < dayMs;
  const graceDays = isTrialUnpaid && !hasPaymentMethod ? 0 : renewalGraceDays;
  return new Date(unpaidSince.getTime() + graceDays * dayMs);
}
