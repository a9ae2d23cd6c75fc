import type { SubscriptionStatus } from '@sluice/contract';

/** Charges a plan's price each month to the customer's default card. */
export interface SubscriptionProvider {
  /**
   * Starts a subscription; the same idempotency key returns the same one. Charges nothing during a trial; without one
   * the first month is charged at once.
   * @throws PaymentRefusedError if the first month cannot be charged
   */
  createSubscription(draft: SubscriptionDraft): Promise<ProviderSubscription>;
  /** Returns the current state; `null` if the provider has no such subscription. */
  readSubscription(subscriptionId: string): Promise<ProviderSubscription | null>;
  /** Changes the plan, prorated for the current month; reverts a cancellation. */
  changeSubscriptionPlan(subscriptionId: string, plan: ProviderPlan): Promise<ProviderSubscription>;
  /** Ends the subscription with the paid period or the trial; at once if a renewal is unpaid. */
  cancelSubscription(subscriptionId: string): Promise<ProviderSubscription>;
  /**
   * Charges unpaid invoices to the default card now.
   * @throws PaymentRefusedError if the card is declined or missing
   */
  payUnpaid(subscriptionId: string): Promise<ProviderSubscription>;
}

/** The price is in whole cents per month. */
export interface ProviderPlan {
  readonly id: string;
  readonly name: string;
  readonly monthlyCents: number;
}

export interface SubscriptionDraft {
  readonly customerId: string;
  readonly plan: ProviderPlan;
  readonly trialEndsAt: Date | null;
  readonly idempotencyKey: string;
}

export interface ProviderSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly planId: string | null;
  readonly status: SubscriptionStatus;
  /** Whether there is a card for renewals. */
  readonly hasPaymentMethod: boolean;
  readonly trialEndsAt: Date | null;
  readonly periodEndsAt: Date | null;
  /** Time when a canceled subscription ends or has ended. */
  readonly endsAt: Date | null;
  /** Since when a renewal is unpaid, and why the last attempt failed. */
  readonly unpaidSince: Date | null;
  readonly failure: string | null;
}
